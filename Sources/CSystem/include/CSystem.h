// What Swift's Glibc module lacks of Linux: epoll, eventfd, timerfd, accept4, renameat2 and
// mallopt. Every function of a system call answers what that does: -1 and errno where it failed.
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdint.h>
#include <sys/socket.h>

/// One ready descriptor: the token it was registered with, and what it is ready for.
struct csystem_event {
  uint64_t token;
  uint32_t ready;
};

enum {
  csystem_readable = 1,
  csystem_writable = 2,
  csystem_broken = 4,
};

int csystem_epoll_create(void);
int csystem_epoll_add(int epoll, int descriptor, uint64_t token, uint32_t interest);
int csystem_epoll_change(int epoll, int descriptor, uint64_t token, uint32_t interest);
int csystem_epoll_remove(int epoll, int descriptor);
/// At most 256 events, waiting up to that many milliseconds.
int csystem_epoll_wait(int epoll, struct csystem_event *events, int capacity, int milliseconds);

int csystem_eventfd(void);
int csystem_timerfd(void);
/// Ticks at this interval from now on; 0 stops it.
int csystem_timerfd_set(int timer, int64_t nanoseconds);

/// accept4 with a descriptor that does not block and is closed by exec.
int csystem_accept(int listener, struct sockaddr *address, socklen_t *length);

/// renameat2 with RENAME_NOREPLACE: EEXIST where the new name is taken, EINVAL where the file
/// system can't tell in one step.
int csystem_rename_exclusively(const char *from, const char *to);

/// Has glibc's malloc share out memory from as many pools as there are processors, unless the
/// environment says how many (mallopt(3)). It would make up to eight for each, one for every thread
/// that comes, and what is free in one is not used by the others. To be called before there are
/// threads.
void csystem_limit_memory_pools(void);

/// The variable of the environment at an index, NAME=VALUE; a null pointer behind the last.
const char *csystem_variable(long index);

#endif
