// A VFS of SQLite (sqlite.org/vfs.html) that tells a read that failed from a damaged file, and that can
// write the frames of a commit into the write-ahead log together. SQLite itself writes each in two calls, its
// header and its page.
#ifndef CGATHERINGVFS_H
#define CGATHERINGVFS_H

#include <sqlite3.h>

/// Makes the VFS known as `name`, on top of the one known as `base`; NULL: the default one. It stays
/// as long as the process. Answers a result code of SQLite (sqlite.org/rescode.html):
/// SQLITE_NOTFOUND where there is no such base.
///
/// `gathers` says whether what is written into a log is gathered.
int cgathering_vfs_register(const char *name, const char *base, int gathers);

/// Has the checkpoints of a connection send pages on their way to the disk while they write others, so
/// that the sync at their end takes less long (sync_file_range(2); nothing on systems without it).
///
/// `descriptor` is one of the database's file, and stays open as long as the connection: closing it gives up
/// every lock that the process has on the file (fcntl(2)), also SQLite's. -1: none any more. Answers SQLITE_NOTFOUND
/// where no log is open that this VFS has opened.
int cgathering_send_early(sqlite3 *connection, int descriptor);

#endif
