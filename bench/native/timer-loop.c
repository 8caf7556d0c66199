// The floor of keeping times: sleeps to each moment of a constant rate and prints how late it woke at the
// 50th and 99th percentile. Usage: timer-loop RATE SECONDS. Prints microseconds.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rising(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  double rate = atof(arguments[1]), seconds = atof(arguments[2]);
  long total = (long)(rate * seconds);
  double *late = malloc(sizeof(double) * (size_t)total);
  if (late == NULL || total < 100) return 1;
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (long i = 0; i < total; i++) {
    double due = (double)(i + 1) / rate;
    struct timespec at = {.tv_sec = start.tv_sec + (long)due};
    long nanoseconds = start.tv_nsec + (long)((due - (double)(long)due) * 1e9);
    at.tv_sec += nanoseconds / 1000000000;
    at.tv_nsec = nanoseconds % 1000000000;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) continue;
    clock_gettime(CLOCK_MONOTONIC, &now);
    late[i] = (double)(now.tv_sec - at.tv_sec) * 1e6 + (double)(now.tv_nsec - at.tv_nsec) * 1e-3;
  }
  qsort(late, (size_t)total, sizeof(double), rising);
  printf("%f %f\n", late[total / 2], late[total * 99 / 100]);
  return 0;
}
