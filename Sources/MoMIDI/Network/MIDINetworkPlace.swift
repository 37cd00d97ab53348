import CMoSystem
import MIDICore
import MoCore
import MoMu

/// A network session that Avahi has found: its name and its address.
package struct MIDINetworkPlace: Hashable, Sendable {
  /// The name, without control characters.
  package var name: String
  package var endpoint: MIDIEndpoint

  /// The service type of AppleMIDI sessions.
  static let type = "_apple-midi._udp"

  /// Returns a directory that finds sessions, and publishes this program's session if `own` is given.
  ///
  /// - Parameter own: the name and the port to publish; nil to look without being listed.
  static func directory(
    own: (name: String, port: Int)?, now: HostTime
  ) -> ServiceDirectory<MIDINetworkPlace> {
    let name = own?.name ?? ""
    return ServiceDirectory(
      isHidden: own == nil, now: now,
      instance: { attempt in attempt == 1 ? name : "\(name.shortened(toBytes: 58)) #\(attempt)" },
      read: { answer in
        guard let endpoint = MIDIEndpoint(answer) else { return .unreachable }
        // Not by its name: two machines called raspberrypi have names that differ only by a number.
        if let own, own.port == Int(answer.port), endpoint.isOfThisMachine { return .own }
        return .place(MIDINetworkPlace(name: answer.service.name.printable, endpoint: endpoint))
      })
  }

  /// Returns the sessions that Avahi finds within `time`, in the order of their names; waits for that time.
  ///
  /// `problem` is the reason why Avahi does not work; nil if it works.
  package static func all(within time: Duration, clock: any TimeSource) -> (
    places: [MIDINetworkPlace], problem: AvahiProblem?
  ) {
    let found = Locked<Set<MIDINetworkPlace>>([])
    let finding = try? AvahiFinding(
      directory(own: nil, now: clock.now), type: type, strings: [], port: 0, clock: clock,
      isMissing: { _ in false },
      receive: { findings in
        found.withLock { places in
          for finding in findings {
            switch finding {
            case .hint(let place): places.insert(place)
            case .gone(let place): places.remove(place)
            }
          }
        }
      })
    MoThread.sleep(until: clock.now + time)
    let problem = finding?.problem
    finding?.stop()
    return (found.withLock { order($0) }, problem)
  }

  /// Returns sessions in the order of their names; among sessions with the same name, IPv4 addresses come first.
  static func order(_ places: Set<MIDINetworkPlace>) -> [MIDINetworkPlace] {
    places.sorted {
      ($0.name, $0.endpoint.high, $0.endpoint.low, $0.endpoint.port)
        < ($1.name, $1.endpoint.high, $1.endpoint.low, $1.endpoint.port)
    }
  }

  /// Returns the sessions with exactly this name or, if there are none, the sessions whose names contain this name.
  ///
  /// Upper and lower case do not matter.
  static func matches(_ name: String, in places: Set<MIDINetworkPlace>) -> [MIDINetworkPlace] {
    let wanted = name.lowercased()
    let exact = places.filter { $0.name.lowercased() == wanted }
    return order(exact.isEmpty ? places.filter { $0.name.lowercased().contains(wanted) } : exact)
  }
}

extension MIDIEndpoint {
  init(_ address: momu_address) {
    let (high, low) = withUnsafeBytes(of: address.bytes) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    if address.is_v6 != 0 {
      self.init(high: high, low: low, scope: address.scope, port: address.port)
    } else {
      self.init(ipv4: UInt32(truncatingIfNeeded: high >> 32), port: address.port)
    }
  }

  /// The address as a C structure.
  var native: momu_address {
    var native = momu_address()
    native.port = port
    let isIPv4 = high == 0 && low >> 32 == 0xFFFF
    native.is_v6 = isIPv4 ? 0 : 1
    native.scope = isIPv4 ? 0 : scope
    withUnsafeMutableBytes(of: &native.bytes) { bytes in
      bytes.storeBytes(of: (isIPv4 ? low << 32 : high).bigEndian, as: UInt64.self)
      bytes.storeBytes(of: isIPv4 ? 0 : low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return native
  }

  /// The address as text, such as `192.168.0.5:5004`.
  package var text: String { "\(NetAddress(native))" }

  /// Whether this machine has the address.
  fileprivate var isOfThisMachine: Bool {
    let host = NetAddress(native).host
    return NetInterface.all().contains { $0.addresses.contains(host) }
  }

  /// Creates the address of a session that a service directory reports; nil if it is not the address of a single
  /// machine.
  ///
  /// Multicast, broadcast and loopback addresses are refused. Otherwise any machine could make this program call all
  /// machines.
  init?(_ answer: ServiceAnswer) {
    let bytes = answer.address
    guard bytes.count == 4 || bytes.count == 16, (1...65_534).contains(answer.port) else { return nil }
    func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    if bytes.count == 4 {
      self.init(ipv4: UInt32(number(bytes[...])), port: answer.port)
      guard (1...223).contains(bytes[0]), bytes[0] != 127,
        !NetInterface.all().contains(where: { $0.broadcasts.contains(NetAddress(native).host) })
      else { return nil }
    } else {
      self.init(high: number(bytes[..<8]), low: number(bytes[8...]), port: answer.port)
      let isLinkLocal = high >> 54 == 0x3FA
      if isLinkLocal { scope = UInt32(clamping: answer.service.interface) }
      guard high >> 56 != 0xFF, high >> 48 != 0, !isLinkLocal || scope != 0 else { return nil }
    }
  }
}

extension String {
  /// Returns the longest prefix of the text that has at most `most` bytes in UTF-8.
  func shortened(toBytes most: Int) -> String {
    var text = self
    while text.utf8.count > most { text.removeLast() }
    return text
  }
}
