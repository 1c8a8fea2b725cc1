/* A bare libmicrohttpd responder: the baseline for the page benchmark.
 *
 *   bare PORT PAGE.http RESPONSE.json
 *
 * GET returns PAGE.http (header lines, an empty line, a body), any other method
 * RESPONSE.json; both are created once. Prints one line when it listens.
 */
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct MHD_Response *page, *json;

static char *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) { perror(path); exit(2); }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*size + 1);
  if (!text || fread(text, 1, *size, file) != *size) exit(2);
  text[*size] = 0;
  fclose(file);
  return text;
}

static enum MHD_Result serve(
    void *context, struct MHD_Connection *connection, const char *url,
    const char *method, const char *version, const char *body,
    size_t *body_size, void **state) {
  (void)context; (void)url; (void)version; (void)body;
  if (!*state) { *state = connection; return MHD_YES; }
  if (*body_size) { *body_size = 0; return MHD_YES; }
  return MHD_queue_response(
      connection, 200, strcmp(method, "GET") ? json : page);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  size_t size;
  char *text = contents(arguments[2], &size);
  char *body = strstr(text, "\r\n\r\n");
  if (!body) return 2;
  *body = 0;
  body += 4;
  page = MHD_create_response_from_buffer(
      size - (size_t)(body - text), body, MHD_RESPMEM_PERSISTENT);
  for (char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n")) {
    char *colon = strstr(line, ": ");
    if (!colon) continue;
    *colon = 0;
    MHD_add_response_header(page, line, colon + 2);
  }
  text = contents(arguments[3], &size);
  json = MHD_create_response_from_buffer(
      size, text, MHD_RESPMEM_PERSISTENT);
  MHD_add_response_header(json, "Content-Type", "application/json");

  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD, (uint16_t)atoi(arguments[1]), NULL, NULL,
      serve, NULL, MHD_OPTION_THREAD_POOL_SIZE,
      (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), MHD_OPTION_END);
  if (!daemon) return 2;
  puts("bare listens");
  fflush(stdout);
  int number;
  sigwait(&signals, &number);
  MHD_stop_daemon(daemon);
  return 0;
}
