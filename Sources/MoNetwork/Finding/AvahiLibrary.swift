import CMoSystem

/// A client of Avahi's daemon: it turns the requests of a `ServiceDirectory` into calls of Avahi's client library, and
/// the daemon's answers into events.
///
/// The library is loaded only if it is installed.
///
/// - Thread: one thread, which may have to wait for the daemon; `wake()`: any.
final class AvahiLibrary: @unchecked Sendable {
  // Unchecked: other threads call only `wake()`, which the library allows.
  /// The reason why the library could not be loaded; nil if the library is loaded.
  static let loadError = momu_avahi_load().map { String(cString: $0) }

  private let client: OpaquePointer
  private let type: String
  private let strings: [[UInt8]]
  private let port: UInt16
  private let inbox = Inbox()

  private final class Inbox {
    var events: [ServiceEvent] = []
  }

  /// Creates a client of Avahi's daemon; nil if the library is missing, or if there is no memory.
  ///
  /// - Parameters:
  ///   - type: the service type, such as `_momu._udp`.
  ///   - strings: the TXT strings of this program's service.
  ///   - port: the port of this program's service.
  init?(type: String, strings: [[UInt8]], port: UInt16) {
    (self.type, self.strings, self.port) = (type, strings, port)
    guard Self.loadError == nil,
      let client = momu_avahi_new(
        { context, event in
          guard let context, let event else { return }
          Unmanaged<Inbox>.fromOpaque(context).takeUnretainedValue().events.append(.init(event.pointee))
        }, Unmanaged.passUnretained(inbox).toOpaque())
    else { return nil }
    self.client = client
  }

  deinit { momu_avahi_free(client) }

  /// Waits for the daemon's next event, for at most the given time; returns false if the connection to the daemon has
  /// failed.
  func wait(milliseconds: Int) -> Bool {
    guard momu_avahi_iterate(client, Int32(clamping: milliseconds)) != 0 else { return true }
    add(.lost)
    return false
  }

  /// Makes a running `wait` return immediately; any thread may call this.
  func wake() { momu_avahi_wake(client) }

  /// Removes and returns the daemon's events, in order.
  func takeEvents() -> [ServiceEvent] {
    defer { inbox.events = [] }
    return inbox.events
  }

  /// Sends a request to the daemon.
  func perform(_ step: ServiceStep) {
    switch step {
    case .connect:
      if let reason = momu_avahi_connect(client) { add(.unreachable(String(cString: reason))) }
    case .disconnect: momu_avahi_disconnect(client)
    case .publish(let name): publish(name)
    case .withdraw: momu_avahi_withdraw(client)
    case .browse: if momu_avahi_browse(client, type) != nil { add(.lost) }
    case .resolve(let service):
      let reason = momu_avahi_resolve(
        client, service.interface, service.family, service.name, type, service.domain)
      if reason != nil { add(.unresolved(service)) }
    }
  }

  private func add(_ event: ServiceEvent) { inbox.events.append(event) }

  private func publish(_ name: String) {
    let lengths = strings.map { UInt32($0.count) }
    var isTaken = false
    let reason = strings.flatMap(\.self).withUnsafeBufferPointer { bytes in
      var start = 0
      let pointers = lengths.map { length -> UnsafePointer<UInt8>? in
        defer { start += Int(length) }
        return bytes.baseAddress.map { $0 + start }
      }
      return momu_avahi_publish(
        client, name, type, port, pointers, lengths, UInt32(lengths.count), &isTaken)
    }
    if reason != nil { add(isTaken ? .taken : .refused) }
  }
}

extension ServiceEvent {
  fileprivate init(_ native: momu_avahi_event) {
    var service: ServiceName {
      ServiceName(
        interface: native.interface, family: native.protocol, name: String(cString: native.name),
        domain: String(cString: native.domain))
    }
    switch native.kind {
    case MOMU_AVAHI_READY: self = .ready
    case MOMU_AVAHI_BUSY: self = .busy
    case MOMU_AVAHI_PUBLISHED: self = .published
    case MOMU_AVAHI_TAKEN: self = .taken
    case MOMU_AVAHI_REFUSED: self = .refused
    case MOMU_AVAHI_APPEARED: self = .appeared(service)
    case MOMU_AVAHI_VANISHED: self = .vanished(service)
    case MOMU_AVAHI_UNRESOLVED: self = .unresolved(service)
    case MOMU_AVAHI_RESOLVED:
      let address = withUnsafeBytes(of: native.address) { Array($0.prefix(Int(native.address_bytes))) }
      self = .resolved(service, address: address, port: native.port, strings: native.strings)
    default: self = .lost
    }
  }
}

extension momu_avahi_event {
  /// The TXT strings of the resolved service: the first sixteen, then a single empty string if there are more.
  fileprivate var strings: [[UInt8]] {
    withUnsafeBytes(of: text) { pointers in
      withUnsafeBytes(of: text_bytes) { lengths in
        let starts = pointers.bindMemory(to: UnsafePointer<UInt8>?.self)
        let counts = lengths.bindMemory(to: UInt32.self)
        return (0..<min(Int(texts), starts.count + 1)).map { index in
          index < starts.count
            ? Array(UnsafeBufferPointer(start: starts[index], count: Int(counts[index]))) : []
        }
      }
    }
  }
}
