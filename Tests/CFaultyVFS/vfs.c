#include "CFaultyVFS.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

struct faulty_vfs {
  // A copy of the base, whose functions find in it what they need.
  sqlite3_vfs vfs;
  sqlite3_vfs *base;
  struct cfaulty_logs logs;
};

struct faulty_file {
  sqlite3_file file;
  sqlite3_file *base;
  struct cfaulty_logs *logs;
};

// The methods of a file that is no log, behind it as its own VFS has it: what is on top of this one may give it
// others.
struct faulty_reading {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *base;
  struct cfaulty_logs *logs;
};

static struct faulty_reading *reading_of(sqlite3_file *file) {
  return (struct faulty_reading *)((char *)file + sqlite3_vfs_find(NULL)->szOsFile);
}

static int failed_read(const struct cfaulty_logs *logs) {
  if (logs->read_error) errno = EIO;
  return logs->read_error;
}

static int other_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  const struct faulty_reading *reading = reading_of(file);
  int code = failed_read(reading->logs);
  return code ? code : reading->base->xRead(file, bytes, count, offset);
}

static sqlite3_file *base_of(sqlite3_file *file) { return ((struct faulty_file *)file)->base; }

static struct cfaulty_logs *logs_of(sqlite3_file *file) {
  return ((struct faulty_file *)file)->logs;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int error = logs_of(file)->write_error;
  int code = base_of(file)->pMethods->xWrite(
      base_of(file), bytes, error ? count / 2 : count, offset);
  if (error) return error;
  if (code == SQLITE_OK) logs_of(file)->writes += 1;
  return code;
}

static int file_sync(sqlite3_file *file, int flags) {
  if (logs_of(file)->sync_error) return logs_of(file)->sync_error;
  int code = base_of(file)->pMethods->xSync(base_of(file), flags);
  if (code == SQLITE_OK) logs_of(file)->syncs += 1;
  return code;
}

static int file_close(sqlite3_file *file) {
  return base_of(file)->pMethods->xClose(base_of(file));
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = failed_read(logs_of(file));
  if (code) return code;
  return base_of(file)->pMethods->xRead(base_of(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return base_of(file)->pMethods->xTruncate(base_of(file), size);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return base_of(file)->pMethods->xFileSize(base_of(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  return base_of(file)->pMethods->xLock(base_of(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return base_of(file)->pMethods->xUnlock(base_of(file), level);
}

static int file_is_reserved(sqlite3_file *file, int *result) {
  return base_of(file)->pMethods->xCheckReservedLock(base_of(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return base_of(file)->pMethods->xFileControl(base_of(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return base_of(file)->pMethods->xSectorSize(base_of(file));
}

static int file_characteristics(sqlite3_file *file) {
  return base_of(file)->pMethods->xDeviceCharacteristics(base_of(file));
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
};

static int open_file(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
  struct faulty_vfs *faulty = (struct faulty_vfs *)vfs;
  if (!(flags & SQLITE_OPEN_WAL)) {
    int code = faulty->base->xOpen(faulty->base, name, file, flags, opened);
    if (file->pMethods) {
      struct faulty_reading *reading = reading_of(file);
      *reading = (struct faulty_reading){*file->pMethods, file->pMethods, &faulty->logs};
      reading->methods.xRead = other_read;
      file->pMethods = &reading->methods;
    }
    return code;
  }
  struct faulty_file *log = (struct faulty_file *)file;
  log->base = (sqlite3_file *)(log + 1);
  log->logs = &faulty->logs;
  log->base->pMethods = NULL;
  int code = faulty->base->xOpen(faulty->base, name, log->base, flags, opened);
  file->pMethods = log->base->pMethods ? &methods : NULL;
  return code;
}

struct cfaulty_logs *cfaulty_vfs_register(const char *name) {
  sqlite3_vfs *base = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(NULL) : NULL;
  if (!base) return NULL;
  struct faulty_vfs *faulty = sqlite3_malloc(sizeof *faulty);
  char *copy = sqlite3_mprintf("%s", name);
  if (!faulty || !copy) return NULL;
  memset(faulty, 0, sizeof *faulty);
  faulty->vfs = *base;
  faulty->base = base;
  faulty->vfs.pNext = NULL;
  faulty->vfs.zName = copy;
  faulty->vfs.szOsFile = (int)sizeof(struct faulty_reading) + base->szOsFile;
  faulty->vfs.xOpen = open_file;
  return sqlite3_vfs_register(&faulty->vfs, 0) == SQLITE_OK ? &faulty->logs : NULL;
}
