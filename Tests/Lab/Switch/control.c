#define _GNU_SOURCE
#include "control.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int control_open(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errx(2, "%s is too long for a socket", path);
  strcpy(address.sun_path, path);
  int control = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  unlink(path);
  if (control < 0 || bind(control, (struct sockaddr *)&address, sizeof address) != 0) err(1, "cannot make %s", path);
  return control;
}

static void write_counts(FILE *reply, const struct state *state) {
  for (int i = 0; i < state->port_count; i++) {
    const struct port *port = &state->ports[i];
    const struct counts *out = &port->sent, *in = &port->received;
    fprintf(
        reply, "%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i + 1,
        out->packets, out->bytes, out->multicast, in->packets, in->bytes, in->multicast, port->lost);
  }
}

static void write_lateness(FILE *reply, const struct lateness *late) {
  uint64_t mean = late->frames ? late->total / late->frames : 0;
  fprintf(
      reply, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", late->frames, mean, late->worst,
      late->over_100_us);
}

static bool set_link(struct state *state, const char *verb, int node) {
  bool joins = strcmp(verb, "join") == 0, plugs = strcmp(verb, "plug") == 0, unplugs = strcmp(verb, "unplug") == 0;
  if (!joins && !plugs && !unplugs && strcmp(verb, "cut") != 0) return false;
  if (node < 1 || node > state->port_count) return false;
  struct port *port = &state->ports[node - 1];
  port->is_cut = !joins && !plugs;
  if (plugs || unplugs) port_carrier(port, plugs);
  return true;
}

static void obey(FILE *reply, struct state *state, const char *command) {
  char verb[16], name[16];
  int node;
  double frames;
  if (strcmp(command, "counts") == 0) {
    write_counts(reply, state);
  } else if (strcmp(command, "late") == 0) {
    write_lateness(reply, &state->late);
  } else if (strcmp(command, "used") == 0) {
    fprintf(reply, "%.0f %" PRIu64 "\n", state->air.used, state->air.dropped);
  } else if (sscanf(command, "air %lf", &frames) == 1 && frames >= 0) {
    state->air.frames = frames;
    fputs("ok\n", reply);
  } else if (sscanf(command, "weather %15s", name) == 1 && profile_named(name)) {
    state->profile = profile_named(name);
    fputs("ok\n", reply);
  } else if (sscanf(command, "%15s %d", verb, &node) == 2 && set_link(state, verb, node)) {
    fputs("ok\n", reply);
  } else {
    fprintf(reply, "cannot do '%s'\n", command);
  }
}

void control_answer(int control, struct state *state) {
  struct sockaddr_un asker;
  socklen_t size = sizeof asker;
  char command[64], reply[MOST_PORTS * 160];
  ssize_t length = recvfrom(control, command, sizeof command - 1, 0, (struct sockaddr *)&asker, &size);
  if (length < 0) return;
  command[length] = 0;
  FILE *text = fmemopen(reply, sizeof reply, "w");
  if (!text) return;
  obey(text, state, command);
  long written = ftell(text);
  fclose(text);
  sendto(control, reply, (size_t)written, 0, (struct sockaddr *)&asker, size);
}
