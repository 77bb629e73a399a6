// Brotli's C interface, of which only the encoder is needed.
#ifndef CBROTLI_H
#define CBROTLI_H

#include <brotli/encode.h>

#endif
