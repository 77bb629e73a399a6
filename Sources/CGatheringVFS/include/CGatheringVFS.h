// A VFS of SQLite (sqlite.org/vfs.html) that writes the frames of a commit into the write-ahead log
// together. SQLite itself writes each in two calls, its header and its page.
#ifndef CGATHERINGVFS_H
#define CGATHERINGVFS_H

/// Makes the VFS known as `name`, on top of the one known as `base`; NULL: the default one. It stays
/// as long as the process. Answers a result code of SQLite (sqlite.org/rescode.html):
/// SQLITE_NOTFOUND where there is no such base.
int cgathering_vfs_register(const char *name, const char *base);

#endif
