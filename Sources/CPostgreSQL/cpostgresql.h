// libpq, PostgreSQL's C interface (postgresql.org/docs/15/libpq.html), and the macros of it that
// Swift can't import: those that are characters.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <libpq-fe.h>

// The fields of an error or a notice (postgresql.org/docs/15/libpq-exec.html, PQresultErrorField).
// The severity is the one that is in English whatever the server's language.
enum {
  cpostgresql_severity = PG_DIAG_SEVERITY_NONLOCALIZED,
  cpostgresql_state = PG_DIAG_SQLSTATE,
  cpostgresql_message = PG_DIAG_MESSAGE_PRIMARY,
  cpostgresql_detail = PG_DIAG_MESSAGE_DETAIL,
};

#endif
