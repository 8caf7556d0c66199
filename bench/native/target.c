// A target that answers at once: every request of one read gets the same answer. Prints its port.
// It knows nothing of HTTP but the empty line that ends a request head; bodies are not expected.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static const char answer[] = "HTTP/1.1 200 OK\r\nServer: target\r\nContent-Type: application/json\r\n"
                             "Date: Mon, 30 Nov 2026 12:00:00 GMT\r\nContent-Length: 27\r\n\r\n"
                             "{\"id\":1,\"title\":\"The book\"}";

static void watch(int epoll, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 4096) != 0) return 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);

  int epoll = epoll_create1(0);
  watch(epoll, listener);
  struct epoll_event events[256];
  char request[16384];
  for (;;) {
    int ready = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        int accepted = accept(listener, NULL, NULL), one = 1;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        watch(epoll, accepted);
        continue;
      }
      ssize_t got = read(fd, request, sizeof request);
      if (got <= 0) close(fd);
      else if (got >= 4 && memcmp(request + got - 4, "\r\n\r\n", 4) == 0)
        if (write(fd, answer, sizeof answer - 1) < 0) close(fd);
    }
  }
}
