// What reads in tests what the encoder wrote.
#ifndef CBROTLI_DECODER_H
#define CBROTLI_DECODER_H

#include <brotli/decode.h>

#endif
