// Nettle's SHA-256, and what its releases differ in.
#ifndef CNETTLE_H
#define CNETTLE_H

#include <nettle/sha2.h>
#include <nettle/version.h>

// Writes the 32 bytes of the digest, and begins anew. Before 4.0 the length is said, too.
static inline void cnettle_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR < 4
  sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#else
  sha256_digest(context, digest);
#endif
}

#endif
