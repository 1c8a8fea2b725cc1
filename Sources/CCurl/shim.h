#pragma once
// libcurl's setters and getters are variadic, and Swift imports no variadic functions: hence one
// plain function for each argument type.
#include <curl/curl.h>

static inline CURLcode foyer_curl_set_long(
    CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode foyer_curl_set_size(
    CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// Strings, lists and contexts.
static inline CURLcode foyer_curl_set_pointer(
    CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode foyer_curl_set_write(
    CURL *easy, CURLoption option, curl_write_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode foyer_curl_set_opensocket(
    CURL *easy, curl_opensocket_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode foyer_curl_set_prereq(
    CURL *easy, curl_prereq_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode foyer_curl_get_long(
    CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode foyer_curl_get_size(
    CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode foyer_curl_get_string(
    CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode foyer_curl_get_socket(
    CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode foyer_curl_get_private(CURL *easy, void **value) {
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, value);
}

static inline CURLMcode foyer_curl_multi_set_long(
    CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Swift does not import its flags, which are macros with casts.
static inline CURLcode foyer_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// Macros that Swift imports with another type, or not at all.
static const size_t foyer_curl_pause_write = CURL_WRITEFUNC_PAUSE;
static const size_t foyer_curl_pause_read = CURL_READFUNC_PAUSE;
static const size_t foyer_curl_abort_read = CURL_READFUNC_ABORT;
