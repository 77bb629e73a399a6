// A VFS of SQLite whose write-ahead logs count what they are asked for, and fail when told to; its other files
// fail to be read.
#ifndef CFAULTYVFS_H
#define CFAULTYVFS_H

/// All logs that were opened by one such VFS. Used by one thread at a time.
struct cfaulty_logs {
  /// Calls that went well.
  int writes, syncs;
  /// Result codes: while one is not 0, each such call fails with it. A write that fails writes half.
  int write_error, sync_error;
  /// As these, for every read of any file, with errno EIO.
  int read_error;
};

/// Makes a VFS known as `name`, on top of the default one, for as long as the process lives. NULL
/// where that failed.
struct cfaulty_logs *cfaulty_vfs_register(const char *name);

#endif
