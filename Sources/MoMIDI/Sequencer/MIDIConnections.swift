import MoCore
import MoRuntime

/// Keeps the wanted ports connected, also ports that appear later; recognises ports by their names.
///
/// - Thread: one owner, the reading thread.
package final class MIDIConnections {
  /// The ports that a program wants to read or to send to.
  package enum Request: Hashable, Sendable {
    /// No port; only other programs make connections.
    case none
    /// All ports of devices, and none of programs.
    case keyboards
    /// The ports that match a name.
    case named(MIDIPortName)
  }

  private let sequencer: any MIDISequencer
  private let receiver: MIDIReceiver
  private let notify: (MIDIPortEvent) -> Void
  private(set) var input = Request.none
  private(set) var output = Request.none
  private var sources: [Source] = []
  /// The names of the ports that are sent to.
  private(set) var targets: [MIDIAddress: String] = [:]
  /// Ports that a user disconnected by hand; each is connected again only after it has disappeared and is back.
  private var left: Set<MIDIAddress> = []

  /// A port that this program reads, or that has sent to this program.
  private struct Source {
    var address: MIDIAddress
    var name: String
    /// The port's number in the `MIDIReceiver`.
    var index: Int
  }

  init(
    _ sequencer: any MIDISequencer, _ receiver: MIDIReceiver, notify: @escaping (MIDIPortEvent) -> Void
  ) { (self.sequencer, self.receiver, self.notify) = (sequencer, receiver, notify) }

  /// Connects the wanted ports to this program, now and when they appear later, so that their messages are received.
  ///
  /// - Parameter waits: whether a missing port is waited for; if false, a missing named port is an error.
  /// - Throws: `MIDIError.noPort`.
  package func read(_ request: Request, waits: Bool, at now: HostTime) throws(MIDIError) {
    try check(request, option: "midi", sequencer.ports().filter(\.sends), waits)
    input = request
    refresh(at: now)
  }

  /// Connects this program to the wanted ports, now and when they appear later, so that messages are sent to them.
  ///
  /// - Parameter waits: whether a missing port is waited for; if false, a missing named port is an error.
  /// - Throws: `MIDIError.noPort`.
  package func send(_ request: Request, waits: Bool, at now: HostTime) throws(MIDIError) {
    try check(request, option: "midi-out", sequencer.ports().filter(\.receives), waits)
    output = request
    refresh(at: now)
  }

  /// The names of the ports that are read.
  package var names: [String] { sources.map(\.name) }

  /// Returns the `MIDIReceiver`'s number of a port that has sent a message; an unknown port is opened and gets a
  /// number.
  func index(of address: MIDIAddress, at now: HostTime) -> Int {
    // There are only a few ports, so that the order of the search does not matter.
    for source in sources where source.address == address { return source.index }
    // A wanted port may send before its announcement is handled.
    refresh(at: now)
    for source in sources where source.address == address { return source.index }
    let port = sequencer.ports().first { $0.address == address }
    return add(address, port?.fullName ?? "client \(address.client)")
  }

  /// Returns the `MIDIReceiver`'s number of a port; nil if the port has disappeared or is unknown.
  func knownIndex(of address: MIDIAddress) -> Int? {
    for source in sources where source.address == address { return source.index }
    return nil
  }

  private func add(_ address: MIDIAddress, _ name: String) -> Int {
    let index = receiver.open(name)
    // Senders without a connection leave no trace when they disappear.
    if sources.count >= MIDIReceiver.capacity { sources.removeFirst() }
    sources.append(Source(address: address, name: name, index: index))
    return index
  }

  /// Handles the end of a connection from a port to this program: releases the port's notes.
  ///
  /// This object does not connect the port again until the port has disappeared and is back.
  func disconnected(_ address: MIDIAddress, at now: HostTime) {
    if remove({ $0 == address }, at: now) { left.insert(address) }
  }

  /// Handles the disappearance of a port or, if `address.port` is negative, of all ports of a client.
  func gone(_ address: MIDIAddress, at now: HostTime) {
    let isIt = { (other: MIDIAddress) in
      other.client == address.client && (address.port < 0 || other.port == address.port)
    }
    remove(isIt, at: now)
    left = left.filter { !isIt($0) }
    for (port, name) in targets where isIt(port) {
      targets[port] = nil
      notify(.lostOutput(name: name))
    }
  }

  /// Removes the sources for whose address `isIt` returns true, and releases their notes; returns whether there were
  /// any.
  @discardableResult
  private func remove(_ isIt: (MIDIAddress) -> Bool, at now: HostTime) -> Bool {
    let removed = sources.filter { isIt($0.address) }
    sources.removeAll { isIt($0.address) }
    for source in removed {
      receiver.release(port: source.index, at: now, closes: true)
      notify(.lost(name: source.name))
    }
    return !removed.isEmpty
  }

  /// Handles lost input: releases all held notes, and connects all wanted ports again.
  ///
  /// The lost input may include announcements of ports. A port that disappeared and returned may have its earlier
  /// address, but its connections have ended.
  ///
  /// - Parameter isDeaf: whether all input is dropped anyway, so that nothing is held.
  func overrun(isDeaf: Bool, at now: HostTime) {
    if !isDeaf {
      receiver.releaseAll(at: now)
      notify(.overrun)
    }
    let names = Dictionary(
      sequencer.ports().map { ($0.address, $0.fullName) }, uniquingKeysWith: { first, _ in first })
    for source in sources where names[source.address] != source.name { gone(source.address, at: now) }
    for (port, name) in targets where names[port] != name { gone(port, at: now) }
    left = left.filter { names[$0] != nil }
    refresh(repeats: true, at: now)
  }

  /// Connects the wanted ports that are not connected.
  ///
  /// With `repeats`, this object also connects an output again that a user disconnected by hand, since no event shows
  /// that the output was disconnected.
  ///
  /// - Parameter repeats: whether to connect the known ports again, too; an existing connection stays as it is.
  func refresh(repeats: Bool = false, at now: HostTime) {
    let ports = sequencer.ports()
    for port in Self.matches(input, ports.filter(\.sends)) where !left.contains(port.address) {
      let isKnown = sources.contains { $0.address == port.address }
      guard repeats || !isKnown, (try? sequencer.connect(from: port.address)) != nil, !isKnown
      else { continue }
      _ = add(port.address, port.fullName)
      notify(.using(name: port.fullName))
    }
    for port in Self.matches(output, ports.filter(\.receives)) {
      let isKnown = targets[port.address] != nil
      guard repeats || !isKnown, (try? sequencer.connect(to: port.address)) != nil, !isKnown
      else { continue }
      targets[port.address] = port.fullName
      notify(.sending(name: port.fullName))
    }
  }

  private static func matches(_ request: Request, _ ports: [MIDIPort]) -> [MIDIPort] {
    switch request {
    case .none: []
    case .keyboards: ports.filter(\.isDevice)
    case .named(let name): name.matches(in: ports)
    }
  }

  private func check(
    _ request: Request, option: String, _ ports: [MIDIPort], _ waits: Bool
  ) throws(MIDIError) {
    guard case .named(let name) = request, !waits, name.matches(in: ports).isEmpty else { return }
    throw name.error(option: option, ports: ports)
  }
}
