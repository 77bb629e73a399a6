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

#endif
