// An Ethernet switch with weather: switch PROFILE SEED OWN_NS CONTROL NAMESPACE...
//
// Makes eth0 in each network namespace and carries frames between them, each delayed or lost as the profile
// says. OWN_NS, what a frame's way through kernel and switch takes anyway, is taken off every delay. Prints
// "ready" when all devices are there, ends when its standard input does. control.h lists the commands.
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "queue.h"

enum { SPIN_NS = 50000, CONTROL = MOST_PORTS, INPUT, EVENTS = 16, ACCESS_POINT = -1 };

static struct state state;
static struct weather weather[MOST_PORTS][MOST_PORTS];
static int64_t last_due[MOST_PORTS][MOST_PORTS][2];  // by kind: a kept multicast frame holds up no other
static int64_t own, begun;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static uint64_t address(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 6; i++) value = value << 8 | bytes[i];
  return value;
}

static int64_t next_on_grid(int64_t time) {
  int64_t step = (int64_t)(state.profile->multicast_grid * 1e6);
  return step ? (time / step + 1) * step : time;
}

static void forward(const uint8_t *bytes, uint32_t length, int from, int to, bool multicast, int64_t came) {
  // Where the air is shared the access point has held it already.
  bool is_held = state.air.frames > 0;
  int64_t delay = weather_delay(&weather[from][to], state.profile, came - begun);
  if (delay < 0 || state.ports[to].is_cut) {
    state.ports[to].lost++;
    return;
  }
  int64_t due = came + (delay > own ? delay - own : 0), *last = &last_due[from][to][multicast];
  if (multicast && !is_held) due = next_on_grid(due);
  if (due < *last) due = *last;
  *last = due;
  struct frame head = {.due = due, .from = from, .to = to, .multicast = multicast, .length = length};
  if (!queue_add(&head, bytes)) state.ports[to].lost++;
}

// To all but the sender; where the air is shared, once the access point has it.
static void spread(const uint8_t *bytes, uint32_t length, int from, int64_t came) {
  for (int to = 0; to < state.port_count; to++)
    if (to != from) forward(bytes, length, from, to, true, came);
}

// Brings a frame for all to the access point, which holds it until it sends such.
static void call(const uint8_t *bytes, uint32_t length, int from, int64_t came) {
  int64_t there = air_take(&state.air, 1, came);
  struct frame head = {
      .due = next_on_grid(there), .from = from, .to = ACCESS_POINT, .multicast = true, .length = length};
  if (there < 0 || !queue_add(&head, bytes)) state.ports[from].lost++;
}

static void receive(int from) {
  uint8_t bytes[LONGEST_FRAME];
  struct port *port = &state.ports[from];
  ssize_t length;
  while ((length = read(port->device, bytes, sizeof bytes)) >= 14) {
    int64_t came = now_ns();
    if (port->is_cut) continue;
    uint64_t destination = address(bytes);
    bool multicast = bytes[0] & 1;
    int known = -1;
    port->hardware = address(bytes + 6);
    port->sent.packets++, port->sent.bytes += (uint64_t)length, port->sent.multicast += multicast;
    for (int to = 0; to < state.port_count && !multicast; to++)
      if (state.ports[to].hardware == destination) known = to;
    if (known == from) continue;
    if (known >= 0) {
      int64_t sent = air_take(&state.air, 2, came);
      if (sent < 0) state.ports[known].lost++;
      else forward(bytes, (uint32_t)length, from, known, multicast, sent);
    } else if (state.air.frames > 0) {
      call(bytes, (uint32_t)length, from, came);
    } else {
      for (int to = 0; to < state.port_count; to++)
        if (to != from) forward(bytes, (uint32_t)length, from, to, multicast, came);
    }
  }
}

static void let_go(struct frame *frame) {
  if (frame->to == ACCESS_POINT) {
    int64_t sent = air_take(&state.air, air_multicast(&state.air, frame->length), frame->due);
    if (sent < 0) state.ports[frame->from].lost++;
    else spread(frame->bytes, frame->length, frame->from, sent);
    free(frame);
    return;
  }
  struct port *port = &state.ports[frame->to];
  uint64_t late = (uint64_t)(now_ns() - frame->due);
  if (port->is_cut || write(port->device, frame->bytes, frame->length) != (ssize_t)frame->length) {
    port->lost++;
  } else {
    struct counts *in = &port->received;
    in->packets++, in->bytes += frame->length, in->multicast += frame->multicast;
    state.late.frames++, state.late.total += late, state.late.over_100_us += late > 100000;
    if (late > state.late.worst) state.late.worst = late;
  }
  free(frame);
}

// Sleeps until shortly before the next frame is due, then asks without sleeping: nothing that comes waits.
static int wait_for(int poll, struct epoll_event *events) {
  const struct frame *first = queue_first();
  if (!first) return epoll_pwait2(poll, events, EVENTS, NULL, NULL);
  int64_t sleep = first->due - now_ns() - SPIN_NS;
  if (sleep < 0) sleep = 0;
  struct timespec span = {.tv_sec = sleep / 1000000000, .tv_nsec = sleep % 1000000000};
  return epoll_pwait2(poll, events, EVENTS, &span, NULL);
}

static void watch(int poll, int file, uint32_t what) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = what};
  if (epoll_ctl(poll, EPOLL_CTL_ADD, file, &event) != 0) err(1, "cannot watch a file");
}

static void run(int poll, int control) {
  struct epoll_event events[EVENTS];
  for (;;) {
    int count = wait_for(poll, events);
    for (int i = 0; i < count; i++) {
      uint32_t what = events[i].data.u32;
      if (what == INPUT) return;
      if (what == CONTROL) control_answer(control, &state);
      if (what < MOST_PORTS) receive((int)what);
    }
    while (queue_first() && queue_first()->due <= now_ns()) let_go(queue_take());
  }
}

int main(int argc, char **argv) {
  state.profile = argc > 5 ? profile_named(argv[1]) : NULL;
  if (!state.profile || argc - 5 > MOST_PORTS)
    errx(2, "usage: switch none|wire|good|bad SEED OWN_NS CONTROL NAMESPACE... (at most %d)", MOST_PORTS);
  uint64_t seed = strtoull(argv[2], NULL, 10);
  own = atoll(argv[3]);
  begun = now_ns();
  int control = control_open(argv[4]), poll = epoll_create1(EPOLL_CLOEXEC);
  watch(poll, control, CONTROL);
  watch(poll, STDIN_FILENO, INPUT);
  for (int i = 5; i < argc; i++) {
    struct port *port = &state.ports[state.port_count];
    port->device = port_open(argv[i]);
    watch(poll, port->device, (uint32_t)state.port_count++);
  }
  for (int from = 0; from < state.port_count; from++)
    for (int to = 0; to < state.port_count; to++) weather[from][to] = weather_between(seed, from, to);
  prctl(PR_SET_TIMERSLACK, 1);
  mlockall(MCL_CURRENT | MCL_FUTURE);
  if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 50}) != 0)
    warn("not real-time, so a busy machine makes frames late");
  puts("ready");
  fflush(stdout);
  run(poll, control);
  return 0;
}
