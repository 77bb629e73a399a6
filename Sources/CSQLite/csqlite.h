// SQLite's C interface, and the parts of it that Swift can't import: variadic functions, and the
// macros that cast an integer to a destructor.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// sqlite.org/c3ref/config.html. Only before SQLite is initialised; SQLITE_MISUSE after.
static inline int csqlite_config_int(int option, int value) {
  return sqlite3_config(option, value);
}

// For how many pages each connection takes room at once, before it needs them
// (sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_PAGECACHE without memory of
// its own).
static inline int csqlite_config_page_cache(int pages) {
  return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, pages);
}

// sqlite.org/c3ref/db_config.html, for the options that are switches: value 1 turns it on, 0 off,
// -1 leaves it; `current` receives what holds afterwards.
static inline int csqlite_db_config_switch(sqlite3 *db, int option, int value, int *current) {
  return sqlite3_db_config(db, option, value, current);
}

// sqlite.org/c3ref/bind_blob.html with SQLITE_TRANSIENT: SQLite copies the bytes before it returns.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
