// The floor: a closed loop that only writes a request and reads what comes, without looking at it.
// Usage: loop PORT CONNECTIONS SECONDS. Prints the number of answers and the CPU seconds spent on them.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char request[] = "GET /books/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static int ask(int fd) { return write(fd, request, sizeof request - 1) == sizeof request - 1; }

int main(int count, char **arguments) {
  if (count != 4) return 2;
  int connections = atoi(arguments[2]), epoll = epoll_create1(0), one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  address.sin_port = htons(atoi(arguments[1]));
  for (int i = 0; i < connections; i++) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    if (!ask(fd)) return 1;
  }
  double end = now() + atof(arguments[3]);
  long answers = 0;
  struct epoll_event events[256];
  char answer[65536];
  while (now() < end) {
    int ready = epoll_wait(epoll, events, 256, 100);
    for (int i = 0; i < ready; i++) {
      if (read(events[i].data.fd, answer, sizeof answer) <= 0 || !ask(events[i].data.fd)) return 1;
      answers++;
    }
  }
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("%ld %f\n", answers,
         used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6);
  return 0;
}
