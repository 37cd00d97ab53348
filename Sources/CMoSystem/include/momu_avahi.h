// Avahi's client library, loaded if it exists and never linked, so that neither it nor its headers are needed.
#ifndef MOMU_AVAHI_H
#define MOMU_AVAHI_H

#include <stdbool.h>
#include <stdint.h>

/// A client of the Avahi daemon: one published service, one browsed type, and services that are being resolved.
typedef struct momu_avahi momu_avahi;

/// The kind of event.
typedef enum {
  MOMU_AVAHI_READY = 0,      ///< The daemon is available.
  MOMU_AVAHI_BUSY = 1,       ///< The daemon changes its host name: the published service is withdrawn.
  MOMU_AVAHI_LOST = 2,       ///< The daemon is gone, or browsing has failed: a new client is needed.
  MOMU_AVAHI_PUBLISHED = 3,
  MOMU_AVAHI_TAKEN = 4,      ///< Another machine has the published name.
  MOMU_AVAHI_REFUSED = 5,    ///< The service cannot be published.
  MOMU_AVAHI_APPEARED = 6,
  MOMU_AVAHI_VANISHED = 7,
  MOMU_AVAHI_RESOLVED = 8,
  MOMU_AVAHI_UNRESOLVED = 9,
} momu_avahi_kind;

#define MOMU_AVAHI_TEXTS 16

/// An event; all pointers are valid during the call only.
typedef struct {
  momu_avahi_kind kind;
  /// The service: the interface and protocol (0 IPv4, 1 IPv6) it was seen on, name, domain; NULL for other events.
  int32_t interface, protocol;
  const char *name, *domain;
  /// Its address: 4 or 16 bytes in network order; 0 bytes if there is no address.
  uint32_t address_bytes;
  uint8_t address[16];
  uint16_t port;
  /// Its TXT record: the first strings, and the number of all strings.
  uint32_t texts;
  const uint8_t *text[MOMU_AVAHI_TEXTS];
  uint32_t text_bytes[MOMU_AVAHI_TEXTS];
} momu_avahi_event;

typedef void (*momu_avahi_handler)(void *context, const momu_avahi_event *event);

/// Loads the library; returns NULL, or the loader's error text. The library stays loaded.
const char *momu_avahi_load(void);

/// Creates a client that is not connected yet. `handler` receives events on the thread that connects and iterates.
/// Returns NULL if memory ran out or the library was not loaded.
momu_avahi *momu_avahi_new(momu_avahi_handler handler, void *context);
void momu_avahi_free(momu_avahi *client);

/// Connects to the bus, and waits for the daemon there; returns NULL, or the reason of a failure. May wait for the bus.
const char *momu_avahi_connect(momu_avahi *client);
void momu_avahi_disconnect(momu_avahi *client);

/// Waits for an event and passes it on; returns a negative number if the client has ended.
int momu_avahi_iterate(momu_avahi *client, int milliseconds);
/// Makes `momu_avahi_iterate` return now. From any thread.
void momu_avahi_wake(momu_avahi *client);

/// Publishes a service, in place of the earlier one; returns NULL, or the reason of a failure, with `taken` if another
/// machine has the name.
const char *momu_avahi_publish(
    momu_avahi *client, const char *name, const char *type, uint16_t port, const uint8_t *const *texts,
    const uint32_t *text_bytes, uint32_t count, bool *taken);
void momu_avahi_withdraw(momu_avahi *client);

/// Browses services of a type from now on, and starts again if it did so before; returns NULL, or the reason of a
/// failure.
const char *momu_avahi_browse(momu_avahi *client, const char *type);

/// Requests the address of a service, in the protocol it was seen on; one event follows. Returns NULL, or the reason of
/// a failure.
const char *momu_avahi_resolve(
    momu_avahi *client, int32_t interface, int32_t protocol, const char *name, const char *type, const char *domain);

#endif
