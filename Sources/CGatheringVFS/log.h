// A write-ahead log that is open.
#ifndef LOG_H
#define LOG_H

#include <sqlite3.h>

/// How large the file is that `cgathering_log_open` fills (`sqlite3_vfs.szOsFile`).
int cgathering_log_size(sqlite3_vfs *base);

/// `sqlite3_vfs.xOpen`, for a write-ahead log.
int cgathering_log_open(
    sqlite3_vfs *base, const char *name, sqlite3_file *file, int flags, int *opened);

/// What is answered for a read to which the base answers `code`: SQLITE_IOERR_READ where the device failed.
int cgathering_read_code(int code);

#endif
