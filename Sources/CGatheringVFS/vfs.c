#include "CGatheringVFS.h"

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

#include "log.h"

// Only a write-ahead log that is gathered is opened as a file of ours; any other file is one of the base's,
// with its own methods but for reading. What a VFS does beside opening files, the base does.
struct gathering_vfs {
  sqlite3_vfs vfs;
  sqlite3_vfs *base;
  int gathers;
};

// The methods of a file of the base's, behind that file.
struct reading_methods {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *base;
};

static int reading_methods_place(sqlite3_vfs *base) { return (base->szOsFile + 15) & ~15; }

static sqlite3_vfs *base_of(sqlite3_vfs *vfs) { return ((struct gathering_vfs *)vfs)->base; }

// Where a read fails with EIO, ENXIO or ERANGE, SQLite's VFS for Unix answers SQLITE_IOERR_CORRUPTFS
// (sqlite.org/rescode.html#ioerr_corruptfs), and SQLite tells its callers of that as of a damaged file
// (`abort_due_to_error` in vdbe.c). Nothing is known to be damaged: the device did not read.
int cgathering_read_code(int code) {
  return code == SQLITE_IOERR_CORRUPTFS ? SQLITE_IOERR_READ : code;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  const struct reading_methods *methods = (const struct reading_methods *)file->pMethods;
  return cgathering_read_code(methods->base->xRead(file, bytes, count, offset));
}

static int open_file(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
  sqlite3_vfs *base = base_of(vfs);
  if (flags & SQLITE_OPEN_WAL && ((struct gathering_vfs *)vfs)->gathers) {
    return cgathering_log_open(base, name, file, flags, opened);
  }
  int code = base->xOpen(base, name, file, flags, opened);
  if (file->pMethods) {
    struct reading_methods *methods =
        (struct reading_methods *)((char *)file + reading_methods_place(base));
    // Of a version's methods only those that it has are there to be copied.
    size_t size = file->pMethods->iVersion >= 3 ? sizeof(sqlite3_io_methods)
        : file->pMethods->iVersion == 2 ? offsetof(sqlite3_io_methods, xFetch)
                                        : offsetof(sqlite3_io_methods, xShmMap);
    memcpy(&methods->methods, file->pMethods, size);
    methods->base = file->pMethods;
    methods->methods.xRead = read_file;
    file->pMethods = &methods->methods;
  }
  return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync_folder) {
  return base_of(vfs)->xDelete(base_of(vfs), name, sync_folder);
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  return base_of(vfs)->xAccess(base_of(vfs), name, flags, result);
}

static int full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
  return base_of(vfs)->xFullPathname(base_of(vfs), name, count, path);
}

static void *library_open(sqlite3_vfs *vfs, const char *name) {
  return base_of(vfs)->xDlOpen(base_of(vfs), name);
}

static void library_error(sqlite3_vfs *vfs, int count, char *message) {
  base_of(vfs)->xDlError(base_of(vfs), count, message);
}

static void (*library_symbol(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  return base_of(vfs)->xDlSym(base_of(vfs), library, name);
}

static void library_close(sqlite3_vfs *vfs, void *library) {
  base_of(vfs)->xDlClose(base_of(vfs), library);
}

static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return base_of(vfs)->xRandomness(base_of(vfs), count, bytes);
}

static int sleep_for(sqlite3_vfs *vfs, int microseconds) {
  return base_of(vfs)->xSleep(base_of(vfs), microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *time) {
  return base_of(vfs)->xCurrentTime(base_of(vfs), time);
}

static int current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  return base_of(vfs)->xCurrentTimeInt64(base_of(vfs), time);
}

static int last_error(sqlite3_vfs *vfs, int count, char *message) {
  return base_of(vfs)->xGetLastError(base_of(vfs), count, message);
}

int cgathering_vfs_register(const char *name, const char *base, int gathers) {
  int code = sqlite3_initialize();
  if (code != SQLITE_OK) return code;
  sqlite3_vfs *under = sqlite3_vfs_find(base);
  if (!under) return SQLITE_NOTFOUND;
  size_t length = strlen(name) + 1;
  struct gathering_vfs *gathering = sqlite3_malloc64(sizeof *gathering + length);
  if (!gathering) return SQLITE_NOMEM;
  char *copy = memcpy(gathering + 1, name, length);
  gathering->base = under;
  gathering->gathers = gathers;
  int log_size = cgathering_log_size(under);
  int file_size = reading_methods_place(under) + (int)sizeof(struct reading_methods);
  gathering->vfs = (sqlite3_vfs){
      // Version 3 adds what replaces system calls, for tests of SQLite.
      .iVersion = under->iVersion < 2 ? under->iVersion : 2,
      .szOsFile = log_size > file_size ? log_size : file_size,
      .mxPathname = under->mxPathname,
      .zName = copy,
      .xOpen = open_file,
      .xDelete = delete_file,
      .xAccess = access_file,
      .xFullPathname = full_path,
      .xDlOpen = library_open,
      .xDlError = library_error,
      .xDlSym = library_symbol,
      .xDlClose = library_close,
      .xRandomness = randomness,
      .xSleep = sleep_for,
      .xCurrentTime = current_time,
      .xCurrentTimeInt64 = current_time_int64,
      .xGetLastError = last_error,
  };
  code = sqlite3_vfs_register(&gathering->vfs, 0);
  if (code != SQLITE_OK) sqlite3_free(gathering);
  return code;
}
