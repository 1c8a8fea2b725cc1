#pragma once
// Swift imports no variadic functions, and MHD's enums are closed: a combination of flags is not
// one of their cases. Hence plain functions that take integers where MHD takes enums.
#include <microhttpd.h>

static inline struct MHD_Daemon *foyer_mhd_start(
    unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
    struct MHD_OptionItem *options) {
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options,
        MHD_OPTION_END);
}

static const unsigned int foyer_mhd_flags =
    MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD
    | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;

static inline const union MHD_ConnectionInfo *foyer_mhd_connection_info(
    struct MHD_Connection *connection, enum MHD_ConnectionInfoType type) {
    return MHD_get_connection_info(connection, type);
}

// Adds the marker field. Its strings must outlive the connection, as literals do.
static inline int foyer_mhd_put_cookie_mark(
    struct MHD_Connection *connection) {
    return MHD_set_connection_value(
        connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_COOKIE, "-") == MHD_YES;
}

// Swift does not import macros with casts.
static const ssize_t foyer_mhd_end = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t foyer_mhd_end_with_error =
    MHD_CONTENT_READER_END_WITH_ERROR;
static const uint64_t foyer_mhd_size_unknown = MHD_SIZE_UNKNOWN;

// POLLRDHUP, which needs _GNU_SOURCE; Swift's Glibc module does not define it.
static const short foyer_pollrdhup = 0x2000;
