// zlib's C interface, and the macro of it that Swift can't import.
#ifndef CZLIB_H
#define CZLIB_H

#include <zlib.h>

// zlib.h, deflateInit2: in the format of gzip (RFC 1952), with a header that names neither a file nor a time.
static inline int czlib_begin_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
}

#endif
