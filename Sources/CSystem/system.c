#define _GNU_SOURCE
#include "CSystem.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int control(int epoll, int operation, int descriptor, uint64_t token, uint32_t interest) {
  struct epoll_event event = {.events = 0, .data.u64 = token};
  if (interest & csystem_readable) event.events |= EPOLLIN;
  if (interest & csystem_writable) event.events |= EPOLLOUT;
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int csystem_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int csystem_epoll_add(int epoll, int descriptor, uint64_t token, uint32_t interest) {
  return control(epoll, EPOLL_CTL_ADD, descriptor, token, interest);
}

int csystem_epoll_change(int epoll, int descriptor, uint64_t token, uint32_t interest) {
  return control(epoll, EPOLL_CTL_MOD, descriptor, token, interest);
}

int csystem_epoll_remove(int epoll, int descriptor) {
  return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int csystem_epoll_wait(int epoll, struct csystem_event *events, int capacity, int milliseconds) {
  struct epoll_event ready[256];
  int count = epoll_wait(epoll, ready, capacity < 256 ? capacity : 256, milliseconds);
  for (int i = 0; i < count; i++) {
    uint32_t bits = ready[i].events;
    events[i].token = ready[i].data.u64;
    events[i].ready = (bits & EPOLLIN ? csystem_readable : 0) |
                      (bits & EPOLLOUT ? csystem_writable : 0) |
                      (bits & (EPOLLERR | EPOLLHUP) ? csystem_broken : 0);
  }
  return count;
}

int csystem_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int csystem_timerfd(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

int csystem_timerfd_set(int timer, int64_t nanoseconds) {
  struct timespec interval = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  struct itimerspec setting = {interval, interval};
  return timerfd_settime(timer, 0, &setting, 0);
}

int csystem_accept(int listener, struct sockaddr *address, socklen_t *length) {
  return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int csystem_rename_exclusively(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

void csystem_limit_memory_pools(void) {
#ifdef M_ARENA_MAX
  if (getenv("MALLOC_ARENA_MAX") || getenv("GLIBC_TUNABLES")) return;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  mallopt(M_ARENA_MAX, processors > 1 ? (int)processors : 1);
#endif
}

const char *csystem_variable(long index) { return environ[index]; }
