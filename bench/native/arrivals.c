// A target that writes down when requests come: answers at once and counts arrivals per millisecond. On the
// line end of its input it prints COUNT SECONDS EVENNESS, where evenness is variance over mean of the counts per
// millisecond between the first and the last arrival (0: even, 1: Poisson, large: bursts), and starts anew.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST_MILLISECONDS 600000

static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n"
                             "{\"id\":1,\"title\":\"The book\"}";
static unsigned counts[MOST_MILLISECONDS];
static long arrivals;
static double first, last;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void arrive(double at) {
  if (arrivals++ == 0) first = at;
  last = at;
  long millisecond = (long)((at - first) * 1e3);
  if (millisecond < MOST_MILLISECONDS) counts[millisecond]++;
}

static void report(void) {
  long span = (long)((last - first) * 1e3);
  double mean = span > 0 ? (double)arrivals / (double)span : 0, squares = 0;
  for (long i = 0; i < span; i++) squares += (counts[i] - mean) * (counts[i] - mean);
  printf("%ld %f %f\n", arrivals, last - first, span > 0 ? squares / (double)span / mean : 0);
  fflush(stdout);
  memset(counts, 0, sizeof counts);
  arrivals = 0;
}

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
  watch(epoll, STDIN_FILENO);
  struct epoll_event events[256];
  char request[16384];
  for (;;) {
    int ready = epoll_wait(epoll, events, 256, -1);
    double at = now();
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        int accepted = accept(listener, NULL, NULL), one = 1;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        watch(epoll, accepted);
        continue;
      }
      ssize_t size = read(fd, request, sizeof request);
      if (fd == STDIN_FILENO) {
        if (size <= 0) return 0;
        report();
      } else if (size <= 0) {
        close(fd);
      } else {
        arrive(at);
        if (write(fd, answer, sizeof answer - 1) < 0) close(fd);
      }
    }
  }
}
