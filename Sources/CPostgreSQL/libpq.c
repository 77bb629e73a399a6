// Loads libpq when somebody asks for PostgreSQL, and not with the program: with it come OpenSSL, Kerberos and
// LDAP, which take 6 MB and some milliseconds of every start of a server that keeps its data in a file.
//
// Here are the functions of libpq that Swift calls. Each calls the one of its name in the library. They are
// hidden, so that the library finds its own and not these.
#pragma GCC visibility push(hidden)
#include "CPostgreSQL.h"
#pragma GCC visibility pop

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#define FUNCTIONS(X) \
  X(int, PQbackendPID, (const PGconn *conn), (conn)) \
  X(void, PQclear, (PGresult *res), (res)) \
  X(char *, PQcmdStatus, (PGresult *res), (res)) \
  X(char *, PQcmdTuples, (PGresult *res), (res)) \
  X(PostgresPollingStatusType, PQconnectPoll, (PGconn *conn), (conn)) \
  X(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expand_dbname), (keywords, values, expand_dbname)) \
  X(int, PQconnectionNeedsPassword, (const PGconn *conn), (conn)) \
  X(void, PQconninfoFree, (PQconninfoOption *connOptions), (connOptions)) \
  X(PQconninfoOption *, PQconninfoParse, (const char *conninfo, char **errmsg), (conninfo, errmsg)) \
  X(int, PQconsumeInput, (PGconn *conn), (conn)) \
  X(int, PQenterPipelineMode, (PGconn *conn), (conn)) \
  X(char *, PQerrorMessage, (const PGconn *conn), (conn)) \
  X(int, PQexitPipelineMode, (PGconn *conn), (conn)) \
  X(void, PQfinish, (PGconn *conn), (conn)) \
  X(int, PQflush, (PGconn *conn), (conn)) \
  X(void, PQfreemem, (void *ptr), (ptr)) \
  X(Oid, PQftype, (const PGresult *res, int field_num), (res, field_num)) \
  X(PGresult *, PQgetResult, (PGconn *conn), (conn)) \
  X(int, PQgetisnull, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
  X(int, PQgetlength, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
  X(char *, PQgetvalue, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
  X(int, PQisBusy, (PGconn *conn), (conn)) \
  X(int, PQnfields, (const PGresult *res), (res)) \
  X(PGnotify *, PQnotifies, (PGconn *conn), (conn)) \
  X(int, PQntuples, (const PGresult *res), (res)) \
  X(int, PQpipelineSync, (PGconn *conn), (conn)) \
  X(char *, PQresStatus, (ExecStatusType status), (status)) \
  X(char *, PQresultErrorField, (const PGresult *res, int fieldcode), (res, fieldcode)) \
  X(ExecStatusType, PQresultStatus, (const PGresult *res), (res)) \
  X(int, PQsendPrepare, (PGconn *conn, const char *stmtName, const char *query, int nParams, const Oid *paramTypes), (conn, stmtName, query, nParams, paramTypes)) \
  X(int, PQsendQuery, (PGconn *conn, const char *query), (conn, query)) \
  X(int, PQsendQueryPrepared, (PGconn *conn, const char *stmtName, int nParams, const char *const *paramValues, const int *paramLengths, const int *paramFormats, int resultFormat), (conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat)) \
  X(PGVerbosity, PQsetErrorVerbosity, (PGconn *conn, PGVerbosity verbosity), (conn, verbosity)) \
  X(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *conn, PQnoticeReceiver proc, void *arg), (conn, proc, arg)) \
  X(int, PQsetnonblocking, (PGconn *conn, int arg), (conn, arg)) \
  X(int, PQsocket, (const PGconn *conn), (conn)) \
  X(int, PQsslInUse, (PGconn *conn), (conn)) \
  X(ConnStatusType, PQstatus, (const PGconn *conn), (conn)) \
  X(PGTransactionStatusType, PQtransactionStatus, (const PGconn *conn), (conn))

#define FORWARD(result, name, parameters, arguments) \
  static result(*loaded_##name) parameters; \
  result name parameters { return loaded_##name arguments; }

FUNCTIONS(FORWARD)

static const char *error;

static void load(void) {
#ifdef __APPLE__
  void *library = dlopen("libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
#endif
  if (library == NULL) {
    error = dlerror();
    return;
  }
#define LOAD(result, name, parameters, arguments) \
  loaded_##name = (result(*) parameters)dlsym(library, #name); \
  if (loaded_##name == NULL) { \
    error = #name " is missing in libpq"; \
    return; \
  }
  FUNCTIONS(LOAD)
}

const char *cpostgresql_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return error;
}
