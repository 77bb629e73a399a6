// libpq, PostgreSQL's C interface (postgresql.org/docs/15/libpq.html), and the macros of it that
// Swift can't import: those that are characters.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h> // Debian's place for it
#else
#include <libpq-fe.h>
#endif

// Loads libpq, once, from any thread. Returns why it can't be loaded; NULL where it is. Without it no function
// of libpq may be called.
const char *cpostgresql_load(void);

// The fields of an error or a notice (postgresql.org/docs/15/libpq-exec.html, PQresultErrorField).
// The severity is the one that is in English whatever the server's language.
enum {
  cpostgresql_severity = PG_DIAG_SEVERITY_NONLOCALIZED,
  cpostgresql_state = PG_DIAG_SQLSTATE,
  cpostgresql_message = PG_DIAG_MESSAGE_PRIMARY,
  cpostgresql_detail = PG_DIAG_MESSAGE_DETAIL,
};

#endif
