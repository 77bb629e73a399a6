// A disk that fails, lies or loses its power at a call of the test's choice; preloaded (LD_PRELOAD)
// before a process, it looks at the calls on files whose path begins as DISK_PATH says. The file
// that DISK_STATE names is memory that the test shares (rig.py, Disk).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { READ = 1, WRITE = 2, SYNC = 4, SIZE = 8, OPEN = 16, NAME = 32 };
enum { FAIL = 1, SHORT, DROP, KILL, CUT };
// The ioctl of `xfs_io -x -c shutdown`, which ext4 knows, too; 2: what is in the journal's memory
// is lost.
#define SHUT_DOWN _IOR('X', 125, uint32_t)

struct state {
  _Atomic int64_t calls;     // which are looked at, of the bits above
  _Atomic int64_t countdown; // at 0 it happens
  _Atomic int64_t times;     // so often in a row
  int64_t action, error;
  _Atomic int64_t seen, happened;
  _Atomic int64_t cut;  // when the power was cut: nanoseconds of the monotonic clock
  int64_t lies, leak;   // syncs do nothing; a sync leaks so many bytes
  char suffix[64];      // only of files whose path ends so
};
static struct state nothing, *state = &nothing;
static const char *path_start = "/nowhere";

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("DISK_STATE");
  int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  state = memory;
  path_start = getenv("DISK_PATH");
}

static int concerns(const char *path) {
  size_t length = strlen(path), end = strlen(state->suffix);
  return strncmp(path, path_start, strlen(path_start)) == 0 && length >= end &&
         strcmp(path + length - end, state->suffix) == 0;
}

static int path_of(int file, char path[512]) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, 511);
  path[length < 0 ? 0 : length] = 0;
  return length > 0;
}

// What becomes of this call: 0 nothing, otherwise an action.
static int64_t turn(int64_t call, const char *path, int file) {
  if (!(state->calls & call)) return 0;
  int saved = errno;
  char own[512];
  int is_ours = path ? concerns(path) : path_of(file, own) && concerns(own);
  errno = saved;
  if (!is_ours) return 0;
  state->seen++;
  int64_t left = --state->countdown;
  if (left > 0 || left <= -state->times) return 0;
  state->happened++;
  if (state->action == KILL) raise(SIGKILL);
  if (state->action == CUT) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state->cut = now.tv_sec * 1000000000LL + now.tv_nsec;
    uint32_t flags = 2;
    if (ioctl(file, SHUT_DOWN, &flags) != 0) state->cut = -errno;
    return 0;
  }
  errno = (int)state->error;
  return state->action;
}

#define REAL(type, name, ...)                                   \
  static type (*real)(__VA_ARGS__);                             \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define READER(name)                                                        \
  ssize_t name(int file, void *bytes, size_t count, off_t offset) {         \
    REAL(ssize_t, #name, int, void *, size_t, off_t);                       \
    int64_t action = turn(READ, NULL, file);                                \
    return action == FAIL ? -1 : real(file, bytes, action == SHORT ? count / 2 : count, offset); \
  }
READER(pread)
READER(pread64)

ssize_t read(int file, void *bytes, size_t count) {
  REAL(ssize_t, "read", int, void *, size_t);
  return turn(READ, NULL, file) == FAIL ? -1 : real(file, bytes, count);
}

#define WRITER(name)                                                        \
  ssize_t name(int file, const void *bytes, size_t count, off_t offset) {   \
    REAL(ssize_t, #name, int, const void *, size_t, off_t);                 \
    int64_t action = turn(WRITE, NULL, file);                               \
    if (action == DROP) return (ssize_t)count;                              \
    return action == FAIL ? -1 : real(file, bytes, action == SHORT ? count / 2 : count, offset); \
  }
WRITER(pwrite)
WRITER(pwrite64)

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  int64_t action = turn(WRITE, NULL, file);
  return action == FAIL ? -1 : real(file, bytes, action == SHORT ? count / 2 : count);
}

static int sync_call(int file, int (*real)(int)) {
  // Kept where the compiler can't follow it: it leaves out memory that nobody looks at.
  static void *volatile leaked;
  if (state->leak && (leaked = malloc((size_t)state->leak))) memset(leaked, 1, (size_t)state->leak);
  return turn(SYNC, NULL, file) == FAIL ? -1 : state->lies ? 0 : real(file);
}
int fdatasync(int file) {
  REAL(int, "fdatasync", int);
  return sync_call(file, real);
}
int fsync(int file) {
  REAL(int, "fsync", int);
  return sync_call(file, real);
}

int ftruncate(int file, off_t size) {
  REAL(int, "ftruncate", int, off_t);
  return turn(SIZE, NULL, file) == FAIL ? -1 : real(file, size);
}
int ftruncate64(int file, off_t size) {
  REAL(int, "ftruncate64", int, off_t);
  return turn(SIZE, NULL, file) == FAIL ? -1 : real(file, size);
}

#define OPENER(name)                                                        \
  int name(const char *path, int flags, ...) {                              \
    REAL(int, #name, const char *, int, ...);                               \
    va_list more;                                                           \
    va_start(more, flags);                                                  \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                           \
    return turn(OPEN, path, -1) == FAIL ? -1 : real(path, flags, mode);     \
  }
OPENER(open)
OPENER(open64)

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  return turn(NAME, path, -1) == FAIL ? -1 : real(path);
}
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  return turn(NAME, from, -1) == FAIL ? -1 : real(from, to);
}
int renameat2(int at, const char *from, int to_at, const char *to, unsigned flags) {
  REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
  return turn(NAME, from, -1) == FAIL ? -1 : real(at, from, to_at, to, flags);
}
