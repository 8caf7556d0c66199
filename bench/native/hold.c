/*
 * Holds every request for the same time and says in a header for how long it really did: the truth that generators
 * are held against. GET /truth answers "count p50 p99" in microseconds since the last time it was asked.
 * Usage: hold MICROSECONDS. Prints its port.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MAX_HELD 65536u
#define MAX_TIMES 4000000u

struct held {
  int fd;
  int64_t since;
};

/* All are held for the same time, so whoever came first is due first. */
static struct held queue[MAX_HELD];
static uint32_t head, tail;
static int32_t times[MAX_TIMES];
static uint32_t time_count;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void answer(int fd, const char *field, const char *body) {
  char text[512];
  int length = snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n%sContent-Length: %zu\r\n\r\n%s", field,
                        strlen(body), body);
  if (write(fd, text, length) != length) close(fd);
}

static void tell_truth(int fd) {
  char body[128];
  qsort(times, time_count, sizeof times[0], by_value);
  int32_t p50 = time_count ? times[(time_count - 1) * 50 / 100] : 0;
  int32_t p99 = time_count ? times[(uint64_t)(time_count - 1) * 99 / 100] : 0;
  snprintf(body, sizeof body, "%u %d %d", time_count, p50, p99);
  time_count = 0;
  answer(fd, "", body);
}

static void release_due(int64_t hold_ns) {
  while (head != tail) {
    struct held *first = &queue[head % MAX_HELD];
    int64_t held_ns = now_ns() - first->since;
    if (held_ns < hold_ns) return;
    char field[64];
    int32_t held_us = (int32_t)((held_ns + 500) / 1000);
    snprintf(field, sizeof field, "X-Held-Microseconds: %d\r\n", held_us);
    answer(first->fd, field, "ok");
    if (time_count < MAX_TIMES) times[time_count++] = held_us;
    head++;
  }
}

static void wake_for_first(int timer, int64_t hold_ns) {
  struct itimerspec at = {0};
  if (head != tail) {
    int64_t due = queue[head % MAX_HELD].since + hold_ns;
    at.it_value.tv_sec = due / 1000000000LL;
    at.it_value.tv_nsec = due % 1000000000LL;
  }
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void read_request(int fd) {
  char text[4096];
  ssize_t length = read(fd, text, sizeof text);
  if (length <= 0) close(fd);
  else if (length > 10 && memcmp(text, "GET /truth", 10) == 0) tell_truth(fd);
  else queue[tail++ % MAX_HELD] = (struct held){fd, now_ns()};
}

int main(int count, char **words) {
  int64_t hold_ns = (count > 1 ? atoll(words[1]) : 5000) * 1000;
  int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  bind(listener, (struct sockaddr *)&address, size);
  listen(listener, 4096);
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  int poll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[256];
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = timer;
  epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event);
  for (;;) {
    int n = epoll_wait(poll, ready, 256, -1);
    for (int i = 0; i < n; i++) {
      int fd = ready[i].data.fd;
      if (fd == timer) continue;
      if (fd != listener) {
        read_request(fd);
        continue;
      }
      event.data.fd = accept(listener, NULL, NULL);
      setsockopt(event.data.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
    }
    release_due(hold_ns);
    wake_for_first(timer, hold_ns);
  }
}
