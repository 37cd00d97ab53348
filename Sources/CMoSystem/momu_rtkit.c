// rtkit over D-Bus. Facts: <https://github.com/heftig/rtkit> (README, org.freedesktop.RealtimeKit1.xml) and the
// documentation of libdbus, which is loaded if it is installed, as on every desktop.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "momu_rights.h"

typedef struct bus bus;
typedef struct message message;

// DBusError: two strings, some bits, a pointer.
typedef struct {
  const char *name, *text;
  unsigned bits;
  void *padding;
} failure;

// DBusMessageIter, of which only the size matters: 14 words at most.
typedef struct {
  void *words[16];
} place;

enum { SYSTEM_BUS = 1, PATIENCE_MS = 2000 };
enum { END = 0, INT32 = 'i', INT64 = 'x', UINT32 = 'u', UINT64 = 't', STRING = 's', VARIANT = 'v' };

#define FUNCTIONS(F)                                                                       \
  F(bus *, bus_get_private, (int, failure *))                                              \
  F(void, connection_set_exit_on_disconnect, (bus *, unsigned))                            \
  F(void, connection_set_change_sigpipe, (unsigned))                                       \
  F(void, connection_close, (bus *))                                                       \
  F(void, connection_unref, (bus *))                                                       \
  F(message *, connection_send_with_reply_and_block, (bus *, message *, int, failure *))   \
  F(message *, message_new_method_call, (const char *, const char *, const char *, const char *)) \
  F(unsigned, message_append_args, (message *, int, ...))                                  \
  F(unsigned, message_iter_init, (message *, place *))                                     \
  F(void, message_iter_recurse, (place *, place *))                                        \
  F(int, message_iter_get_arg_type, (place *))                                             \
  F(void, message_iter_get_basic, (place *, void *))                                       \
  F(void, message_unref, (message *))                                                      \
  F(void, error_init, (failure *))                                                         \
  F(void, error_free, (failure *))

#define POINTER(result, name, arguments) result(*name) arguments;
typedef struct {
  FUNCTIONS(POINTER)
} library;

static const char *load(library *lib) {
  void *handle = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return "libdbus-1 is not installed";
#define FIND(result, name, arguments) \
  if (!(lib->name = (result(*) arguments)dlsym(handle, "dbus_" #name))) return "libdbus-1 lacks dbus_" #name;
  FUNCTIONS(FIND)
  return NULL;
}

static const char *const NAME = "org.freedesktop.RealtimeKit1", *const OBJECT = "/org/freedesktop/RealtimeKit1";

// Returns a property of rtkit that is a whole number; 0 if rtkit does not have it.
static int64_t property(const library *lib, bus *connection, const char *name) {
  message *call = lib->message_new_method_call(NAME, OBJECT, "org.freedesktop.DBus.Properties", "Get");
  if (!call) return 0;
  int64_t value = 0;
  const char *interface = NAME;
  failure why;
  lib->error_init(&why);
  message *reply = NULL;
  if (lib->message_append_args(call, STRING, &interface, STRING, &name, END))
    reply = lib->connection_send_with_reply_and_block(connection, call, PATIENCE_MS, &why);
  lib->message_unref(call);
  lib->error_free(&why);
  if (!reply) return 0;
  place outer, inner;
  if (lib->message_iter_init(reply, &outer) && lib->message_iter_get_arg_type(&outer) == VARIANT) {
    lib->message_iter_recurse(&outer, &inner);
    int type = lib->message_iter_get_arg_type(&inner);
    int32_t small = 0;
    if (type == INT64) lib->message_iter_get_basic(&inner, &value);
    if (type == INT32) {
      lib->message_iter_get_basic(&inner, &small);
      value = small;
    }
  }
  lib->message_unref(reply);
  return value;
}

static int ask(const library *lib, bus *connection, int thread, int priority, char *reason, size_t room) {
  int64_t most = property(lib, connection, "MaxRealtimePriority");
  int64_t longest = property(lib, connection, "RTTimeUSecMax");
  if (most < 1) {
    snprintf(reason, room, "rtkit is not there");
    return 0;
  }
  // rtkit refuses processes that may run for longer than its limit.
  if (longest > 0) momu_thread_bound_run((long)longest / 2, (long)longest);
  if (priority > most) priority = (int)most;
  message *call = lib->message_new_method_call(NAME, OBJECT, NAME, "MakeThreadRealtime");
  if (!call) return 0;
  uint64_t number = (uint64_t)thread;
  uint32_t level = (uint32_t)priority;
  failure why;
  lib->error_init(&why);
  message *reply = NULL;
  if (lib->message_append_args(call, UINT64, &number, UINT32, &level, END))
    reply = lib->connection_send_with_reply_and_block(connection, call, PATIENCE_MS, &why);
  lib->message_unref(call);
  if (!reply) snprintf(reason, room, "rtkit refuses: %s", why.text ? why.text : "no reason");
  lib->error_free(&why);
  if (!reply) return 0;
  lib->message_unref(reply);
  return priority;
}

int momu_rtkit_ask(int thread, int priority, char *reason, size_t room) {
  library lib;
  const char *lacking = load(&lib);
  if (lacking) {
    snprintf(reason, room, "%s", lacking);
    return 0;
  }
  // The program decides how to handle SIGPIPE.
  lib.connection_set_change_sigpipe(0);
  failure why;
  lib.error_init(&why);
  // A private connection: other users of the bus in this process keep their own.
  bus *connection = lib.bus_get_private(SYSTEM_BUS, &why);
  if (!connection) {
    snprintf(reason, room, "there is no system bus");
    lib.error_free(&why);
    return 0;
  }
  lib.connection_set_exit_on_disconnect(connection, 0);
  int granted = ask(&lib, connection, thread, priority, reason, room);
  lib.connection_close(connection);
  lib.connection_unref(connection);
  return granted;
}
