#include "momu_avahi.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "momu_avahi_library.h"

struct momu_avahi {
  momu_avahi_handler handler;
  void *context;
  AvahiSimplePoll *poll;
  AvahiClient *client;
  AvahiServiceBrowser *browser;
  AvahiEntryGroup *group;
};

static struct momu_avahi_library library;

const char *momu_avahi_load(void) {
  if (library.handle) return NULL;
  // Lazy binding, so that a library without some function is reported by the function's name below.
  void *handle = dlopen("libavahi-client.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return dlerror();
  // A search in a library continues in those that it needs: libavahi-common, libdbus.
#define FIND(name) \
  if (!(library.name = (__typeof__(library.name))dlsym(handle, "avahi_" #name))) return dlerror();
  MOMU_AVAHI_FUNCTIONS(FIND)
#undef FIND
  // The program decides how to handle SIGPIPE, but libdbus would make the process ignore it.
  void (*change_sigpipe)(unsigned) = (void (*)(unsigned))dlsym(handle, "dbus_connection_set_change_sigpipe");
  if (change_sigpipe) change_sigpipe(0);
  library.handle = handle;
  return NULL;
}

static void tell(momu_avahi *self, momu_avahi_kind kind) {
  momu_avahi_event event = {.kind = kind};
  self->handler(self->context, &event);
}

static void tell_service(
    momu_avahi *self, momu_avahi_kind kind, int interface, int protocol, const char *name, const char *domain) {
  momu_avahi_event event = {
      .kind = kind, .interface = interface, .protocol = protocol, .name = name, .domain = domain};
  self->handler(self->context, &event);
}

// The events from the daemon.

static void on_client(AvahiClient *client, int state, void *context) {
  (void)client;
  switch (state) {
    case AVAHI_CLIENT_S_RUNNING: return tell(context, MOMU_AVAHI_READY);
    case AVAHI_CLIENT_S_REGISTERING:
    case AVAHI_CLIENT_S_COLLISION: return tell(context, MOMU_AVAHI_BUSY);
    case AVAHI_CLIENT_FAILURE: return tell(context, MOMU_AVAHI_LOST);
    default: return;
  }
}

static void on_group(AvahiEntryGroup *group, int state, void *context) {
  (void)group;
  switch (state) {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: return tell(context, MOMU_AVAHI_PUBLISHED);
    case AVAHI_ENTRY_GROUP_COLLISION: return tell(context, MOMU_AVAHI_TAKEN);
    case AVAHI_ENTRY_GROUP_FAILURE: return tell(context, MOMU_AVAHI_REFUSED);
    default: return;
  }
}

static void on_browser(
    AvahiServiceBrowser *browser, int interface, int protocol, int event, const char *name, const char *type,
    const char *domain, int flags, void *context) {
  (void)browser, (void)type, (void)flags;
  switch (event) {
    case AVAHI_BROWSER_NEW:
      return tell_service(context, MOMU_AVAHI_APPEARED, interface, protocol, name, domain);
    case AVAHI_BROWSER_REMOVE:
      return tell_service(context, MOMU_AVAHI_VANISHED, interface, protocol, name, domain);
    case AVAHI_BROWSER_FAILURE: return tell(context, MOMU_AVAHI_LOST);
    default: return;
  }
}

static void on_resolver(
    AvahiServiceResolver *resolver, int interface, int protocol, int event, const char *name, const char *type,
    const char *domain, const char *host, const AvahiAddress *address, uint16_t port, AvahiStringList *texts,
    int flags, void *context) {
  (void)type, (void)host, (void)flags;
  momu_avahi *self = context;
  momu_avahi_event told = {
      .kind = event == AVAHI_RESOLVER_FOUND ? MOMU_AVAHI_RESOLVED : MOMU_AVAHI_UNRESOLVED,
      .interface = interface, .protocol = protocol, .name = name, .domain = domain, .port = port};
  if (event == AVAHI_RESOLVER_FOUND && address) {
    told.address_bytes = address->proto == AVAHI_PROTO_INET ? 4 : 16;
    memcpy(told.address, address->data, told.address_bytes);
  }
  for (; texts; texts = texts->next, told.texts++) {
    if (told.texts >= MOMU_AVAHI_TEXTS) continue;
    told.text[told.texts] = texts->text;
    told.text_bytes[told.texts] = (uint32_t)texts->size;
  }
  self->handler(self->context, &told);
  library.service_resolver_free(resolver);
}

// The functions of the interface.

momu_avahi *momu_avahi_new(momu_avahi_handler handler, void *context) {
  if (!library.handle) return NULL;
  momu_avahi *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->handler = handler;
  self->context = context;
  self->poll = library.simple_poll_new();
  if (self->poll) return self;
  free(self);
  return NULL;
}

void momu_avahi_free(momu_avahi *self) {
  momu_avahi_disconnect(self);
  library.simple_poll_free(self->poll);
  free(self);
}

static const char *reason(momu_avahi *self) { return library.strerror(library.client_errno(self->client)); }

const char *momu_avahi_connect(momu_avahi *self) {
  momu_avahi_disconnect(self);
  int error = 0;
  self->client =
      library.client_new(library.simple_poll_get(self->poll), AVAHI_CLIENT_NO_FAIL, on_client, self, &error);
  return self->client ? NULL : library.strerror(error);
}

void momu_avahi_disconnect(momu_avahi *self) {
  // When a client is freed, its parts are freed too.
  if (self->client) library.client_free(self->client);
  self->client = NULL;
  self->browser = NULL;
  self->group = NULL;
}

int momu_avahi_iterate(momu_avahi *self, int milliseconds) {
  return library.simple_poll_iterate(self->poll, milliseconds);
}

void momu_avahi_wake(momu_avahi *self) { library.simple_poll_wakeup(self->poll); }

const char *momu_avahi_publish(
    momu_avahi *self, const char *name, const char *type, uint16_t port, const uint8_t *const *texts,
    const uint32_t *text_bytes, uint32_t count, bool *taken) {
  *taken = false;
  if (!self->client) return "no connection";
  if (!self->group) self->group = library.entry_group_new(self->client, on_group, self);
  if (!self->group) return reason(self);
  momu_avahi_withdraw(self);
  AvahiStringList *list = NULL;
  // A list grows at its head, so the strings are added in reverse order.
  for (uint32_t index = count; index-- > 0;) {
    AvahiStringList *longer = library.string_list_add_arbitrary(list, texts[index], text_bytes[index]);
    if (!longer) break;
    list = longer;
  }
  int error = library.entry_group_add_service_strlst(
      self->group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, 0, name, type, NULL, NULL, port, list);
  library.string_list_free(list);
  if (error == 0) error = library.entry_group_commit(self->group);
  *taken = error == AVAHI_ERR_COLLISION;
  return error == 0 ? NULL : library.strerror(error);
}

void momu_avahi_withdraw(momu_avahi *self) {
  if (self->group) library.entry_group_reset(self->group);
}

const char *momu_avahi_browse(momu_avahi *self, const char *type) {
  if (!self->client) return "no connection";
  if (self->browser) library.service_browser_free(self->browser);
  self->browser = library.service_browser_new(
      self->client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, type, NULL, 0, on_browser, self);
  return self->browser ? NULL : reason(self);
}

const char *momu_avahi_resolve(
    momu_avahi *self, int32_t interface, int32_t protocol, const char *name, const char *type, const char *domain) {
  if (!self->client) return "no connection";
  AvahiServiceResolver *resolver = library.service_resolver_new(
      self->client, interface, protocol, name, type, domain, protocol, 0, on_resolver, self);
  return resolver ? NULL : reason(self);
}
