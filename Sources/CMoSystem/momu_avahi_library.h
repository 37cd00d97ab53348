// The parts of libavahi-client 0.6 to 0.9 (soname 3) that momu_avahi.c uses, declared here since its headers may be
// missing. Numbers and layouts are those of avahi-common/defs.h, address.h, strlst.h, error.h and
// avahi-client/client.h. The library's enumerations are passed as int, as in the C ABI.
#ifndef MOMU_AVAHI_LIBRARY_H
#define MOMU_AVAHI_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

typedef struct AvahiSimplePoll AvahiSimplePoll;
typedef struct AvahiPoll AvahiPoll;
typedef struct AvahiClient AvahiClient;
typedef struct AvahiEntryGroup AvahiEntryGroup;
typedef struct AvahiServiceBrowser AvahiServiceBrowser;
typedef struct AvahiServiceResolver AvahiServiceResolver;

/// An address: IPv4 in the first four bytes, in network order.
typedef struct {
  int proto;
  _Alignas(4) uint8_t data[16];
} AvahiAddress;

typedef struct AvahiStringList {
  struct AvahiStringList *next;
  size_t size;
  uint8_t text[1];
} AvahiStringList;

enum { AVAHI_IF_UNSPEC = -1, AVAHI_PROTO_UNSPEC = -1, AVAHI_PROTO_INET = 0 };
enum { AVAHI_CLIENT_NO_FAIL = 2 };
enum {
  AVAHI_CLIENT_S_REGISTERING = 1,
  AVAHI_CLIENT_S_RUNNING = 2,
  AVAHI_CLIENT_S_COLLISION = 3,
  AVAHI_CLIENT_FAILURE = 100
};
enum { AVAHI_ENTRY_GROUP_ESTABLISHED = 2, AVAHI_ENTRY_GROUP_COLLISION = 3, AVAHI_ENTRY_GROUP_FAILURE = 4 };
enum { AVAHI_BROWSER_NEW = 0, AVAHI_BROWSER_REMOVE = 1, AVAHI_BROWSER_FAILURE = 4 };
enum { AVAHI_RESOLVER_FOUND = 0 };
enum { AVAHI_ERR_COLLISION = -8 };

typedef void (*AvahiClientCallback)(AvahiClient *, int state, void *);
typedef void (*AvahiEntryGroupCallback)(AvahiEntryGroup *, int state, void *);
typedef void (*AvahiServiceBrowserCallback)(
    AvahiServiceBrowser *, int interface, int protocol, int event, const char *name, const char *type,
    const char *domain, int flags, void *);
typedef void (*AvahiServiceResolverCallback)(
    AvahiServiceResolver *, int interface, int protocol, int event, const char *name, const char *type,
    const char *domain, const char *host, const AvahiAddress *, uint16_t port, AvahiStringList *texts, int flags,
    void *);

/// The functions, each without its prefix "avahi_".
#define MOMU_AVAHI_FUNCTIONS(F) \
  F(simple_poll_new) F(simple_poll_free) F(simple_poll_get) F(simple_poll_iterate) F(simple_poll_wakeup) \
  F(client_new) F(client_free) F(client_errno) F(strerror) \
  F(entry_group_new) F(entry_group_reset) F(entry_group_commit) F(entry_group_add_service_strlst) \
  F(service_browser_new) F(service_browser_free) F(service_resolver_new) F(service_resolver_free) \
  F(string_list_add_arbitrary) F(string_list_free)

struct momu_avahi_library {
  void *handle;
  AvahiSimplePoll *(*simple_poll_new)(void);
  void (*simple_poll_free)(AvahiSimplePoll *);
  const AvahiPoll *(*simple_poll_get)(AvahiSimplePoll *);
  int (*simple_poll_iterate)(AvahiSimplePoll *, int milliseconds);
  void (*simple_poll_wakeup)(AvahiSimplePoll *);
  AvahiClient *(*client_new)(const AvahiPoll *, int flags, AvahiClientCallback, void *, int *error);
  void (*client_free)(AvahiClient *);
  int (*client_errno)(AvahiClient *);
  const char *(*strerror)(int error);
  AvahiEntryGroup *(*entry_group_new)(AvahiClient *, AvahiEntryGroupCallback, void *);
  int (*entry_group_reset)(AvahiEntryGroup *);
  int (*entry_group_commit)(AvahiEntryGroup *);
  int (*entry_group_add_service_strlst)(
      AvahiEntryGroup *, int interface, int protocol, int flags, const char *name, const char *type,
      const char *domain, const char *host, uint16_t port, AvahiStringList *);
  AvahiServiceBrowser *(*service_browser_new)(
      AvahiClient *, int interface, int protocol, const char *type, const char *domain, int flags,
      AvahiServiceBrowserCallback, void *);
  int (*service_browser_free)(AvahiServiceBrowser *);
  AvahiServiceResolver *(*service_resolver_new)(
      AvahiClient *, int interface, int protocol, const char *name, const char *type, const char *domain,
      int addressProtocol, int flags, AvahiServiceResolverCallback, void *);
  int (*service_resolver_free)(AvahiServiceResolver *);
  AvahiStringList *(*string_list_add_arbitrary)(AvahiStringList *, const uint8_t *, size_t);
  void (*string_list_free)(AvahiStringList *);
};

#endif
