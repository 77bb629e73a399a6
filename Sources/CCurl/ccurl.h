// libcurl's C interface, and the parts of it that Swift can't import: variadic functions.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <pthread.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "Goals needs libcurl 7.87 or newer: that of Debian 12 or Ubuntu 24.04 is."
#endif

// Whether a thread has ended (pthread_tryjoin_np(3)): 0 where it has. Without _GNU_SOURCE, which a
// module can't set for itself, the header does not declare it.
int pthread_tryjoin_np(pthread_t thread, void **result);

// curl.se/libcurl/c/curl_easy_setopt.html, for the options that take such a value.
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}

// What hears bytes answers how many it took. Another number than `size * count` ends the transfer.
typedef size_t (*ccurl_hearing)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_hearing(CURL *handle, CURLoption option, ccurl_hearing value) {
  return curl_easy_setopt(handle, option, value);
}

// curl.se/libcurl/c/curl_easy_getinfo.html. 0 where nothing is known.
static inline long ccurl_long(CURL *handle, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(handle, info, &value);
  return value;
}

static inline curl_off_t ccurl_size(CURL *handle, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(handle, info, &value);
  return value;
}

#endif
