// What SQLite writes into the log one piece behind the other is gathered, and written when somebody
// could look for it:
//
// - With the page of a commit's last frame, which its header tells from others
//   (sqlite.org/fileformat2.html#wal_file_format). The sync comes after that, and so does the index
//   of the log, by which other connections learn of a frame (sqlite.org/walformat.html §2). So this
//   depends neither on how the connection syncs nor on whether it does.
// - When this connection reads the log, as it does for pages that it wrote before the commit because
//   its cache was full, and before any other call that can tell what is in the file.
//
// So what is gathered outside of a transaction is of one that was rolled back, and so is what is when the
// file is closed: nobody will look for it.
//
// Where writing out fails, the call that did it fails with the base's code, and the bytes are
// dropped. SQLite took them for written, and does not always roll back the whole transaction: on a
// full disk it may be the statement alone (sqlite.org/lang_transaction.html §3). So reading and
// writing go on failing behind the place where the lost bytes begin, until something else was
// written there, as it is by the next transaction after a rollback.

#include "log.h"

#include <stdint.h>
#include <string.h>

enum {
  // In a single call SQLite's own VFS for Unix takes no more than this: of a larger count it uses
  // the lowest 17 bits only (`seekAndWriteFd` in os_unix.c).
  capacity = 0x1ffff,
  frame_header_size = 24,
};

struct log_file {
  sqlite3_file file;
  // Behind this struct.
  sqlite3_file *base;
  // NULL until the first write that can be gathered.
  unsigned char *buffer;
  // How many bytes are gathered, and where in the file they belong.
  int count;
  sqlite3_int64 start;
  // Where the last write ended.
  sqlite3_int64 end;
  // Whether the last frame is a commit's. True also before the first one is seen, so that nothing is
  // gathered that is not understood.
  int commits;
  // Where lost bytes begin, and why they were lost.
  sqlite3_int64 lost;
  int failure;
};

static const sqlite3_int64 nowhere = INT64_MAX;

static struct log_file *log_of(sqlite3_file *file) { return (struct log_file *)file; }

static sqlite3_file *base_of(sqlite3_file *file) { return log_of(file)->base; }

static int write_out(struct log_file *log) {
  int count = log->count;
  if (count == 0) return SQLITE_OK;
  log->count = 0;
  int code = log->base->pMethods->xWrite(log->base, log->buffer, count, log->start);
  if (code != SQLITE_OK) {
    log->lost = log->start;
    log->failure = code;
  }
  return code;
}

// Tells from a frame's header whether the frame is a commit's: bytes 4 to 7 are the size of the
// database after it then, and 0 otherwise.
static int is_commit(const unsigned char *header) {
  return (header[4] | header[5] | header[6] | header[7]) != 0;
}

static int put(struct log_file *log, const void *bytes, int count, sqlite3_int64 offset) {
  int is_header = count == frame_header_size;
  if (is_header) log->commits = is_commit(bytes);
  if (!log->buffer) log->buffer = sqlite3_malloc(capacity);
  // Behind a header that is written anew, for its checksum, no page follows: it goes straight
  // through, like all that does not go on where the last write ended.
  if (offset != log->end || count > capacity || !log->buffer) {
    int code = write_out(log);
    return code != SQLITE_OK ? code : log->base->pMethods->xWrite(log->base, bytes, count, offset);
  }
  if (count > capacity - log->count) {
    int code = write_out(log);
    if (code != SQLITE_OK) return code;
  }
  if (log->count == 0) log->start = offset;
  memcpy(log->buffer + log->count, bytes, count);
  log->count += count;
  return log->commits && !is_header ? write_out(log) : SQLITE_OK;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  struct log_file *log = log_of(file);
  if (offset > log->lost) return log->failure;
  int code = put(log, bytes, count, offset);
  if (code != SQLITE_OK) return code;
  log->end = offset + count;
  if (log->lost < log->end) log->lost = log->end;
  return SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  struct log_file *log = log_of(file);
  int code = write_out(log);
  if (code != SQLITE_OK) return code;
  if (offset + count > log->lost) return log->failure;
  return cgathering_read_code(log->base->pMethods->xRead(log->base, bytes, count, offset));
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = write_out(log_of(file));
  return code != SQLITE_OK ? code : base_of(file)->pMethods->xTruncate(base_of(file), size);
}

static int log_sync(sqlite3_file *file, int flags) {
  int code = write_out(log_of(file));
  return code != SQLITE_OK ? code : base_of(file)->pMethods->xSync(base_of(file), flags);
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = write_out(log_of(file));
  return code != SQLITE_OK ? code : base_of(file)->pMethods->xFileSize(base_of(file), size);
}

static int log_control(sqlite3_file *file, int operation, void *argument) {
  int code = write_out(log_of(file));
  return code != SQLITE_OK
      ? code : base_of(file)->pMethods->xFileControl(base_of(file), operation, argument);
}

static int log_lock(sqlite3_file *file, int level) {
  return base_of(file)->pMethods->xLock(base_of(file), level);
}

static int log_unlock(sqlite3_file *file, int level) {
  return base_of(file)->pMethods->xUnlock(base_of(file), level);
}

static int log_is_reserved(sqlite3_file *file, int *result) {
  return base_of(file)->pMethods->xCheckReservedLock(base_of(file), result);
}

static int log_sector_size(sqlite3_file *file) {
  return base_of(file)->pMethods->xSectorSize(base_of(file));
}

static int log_characteristics(sqlite3_file *file) {
  return base_of(file)->pMethods->xDeviceCharacteristics(base_of(file));
}

static int log_close(sqlite3_file *file) {
  sqlite3_free(log_of(file)->buffer);
  return base_of(file)->pMethods->xClose(base_of(file));
}

static const sqlite3_io_methods methods = {
    // What the later versions add, shared memory and mappings, is for databases.
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_is_reserved,
    .xFileControl = log_control,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_characteristics,
};

int cgathering_log_size(sqlite3_vfs *base) {
  return (int)sizeof(struct log_file) + base->szOsFile;
}

int cgathering_log_open(
    sqlite3_vfs *base, const char *name, sqlite3_file *file, int flags, int *opened) {
  struct log_file *log = log_of(file);
  *log = (struct log_file){
      .base = (sqlite3_file *)(log + 1), .end = -1, .commits = 1, .lost = nowhere};
  log->base->pMethods = NULL;
  int code = base->xOpen(base, name, log->base, flags, opened);
  // By these SQLite knows whether there is anything to close (sqlite.org/c3ref/vfs.html, xOpen).
  file->pMethods = log->base->pMethods ? &methods : NULL;
  return code;
}
