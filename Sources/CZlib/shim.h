#pragma once
// zlib's initializers are macros, which Swift does not import.
#include <string.h>
#include <zlib.h>

static inline int foyer_inflate_begin(z_stream *stream, int bits) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, bits);
}
