import MIDICore
import MoMu

/// The sessions that are wanted, and the addresses at which they are called.
///
/// It has no sockets: wishes and findings come in, calls to begin and to end go out.
struct MIDINetworkCalls {
  private struct Wish {
    let name: MIDINetworkName
    var called: MIDIEndpoint?
    /// The address that did not answer, after which the next is tried.
    var silent: MIDIEndpoint?
  }

  private var wishes: [Wish] = []
  private(set) var places: Set<MIDINetworkPlace> = []
  private var begun: [MIDIEndpoint] = []
  private var ended: [MIDIEndpoint] = []

  /// Adds a wish; `host` is the address of a `net:HOST:PORT`.
  mutating func want(_ name: MIDINetworkName, host: MIDIEndpoint?) {
    guard !wishes.contains(where: { $0.name == name }) else { return }
    wishes.append(Wish(name: name, called: host))
    if let host { begun.append(host) }
  }

  mutating func take(_ findings: [ServiceDirectory<MIDINetworkPlace>.Finding]) {
    for finding in findings {
      switch finding {
      case .hint(let place): places.insert(place)
      case .gone(let place): places.remove(place)
      }
    }
  }

  /// Tries the next address of a session that has several.
  mutating func tryNext(after control: MIDIEndpoint) {
    for index in wishes.indices where wishes[index].called == control { wishes[index].silent = control }
  }

  /// Decides at which addresses the wanted names are called.
  mutating func settle(hasJoined: (MIDIEndpoint) -> Bool) {
    for index in wishes.indices {
      guard case .named(let name) = wishes[index].name else { continue }
      if let called = wishes[index].called, hasJoined(called) { continue }
      let found = MIDINetworkPlace.matches(name, in: places).map(\.endpoint)
      let called = wishes[index].called
      var next = called.flatMap { found.contains($0) ? $0 : nil } ?? found.first
      if let silent = wishes[index].silent, silent == next, let place = found.firstIndex(of: silent) {
        next = found[(place + 1) % found.count]
      }
      wishes[index].silent = nil
      guard next != called else { continue }
      if let called { ended.append(called) }
      if let next { begun.append(next) }
      wishes[index].called = next
    }
  }

  mutating func takeBegun() -> [MIDIEndpoint] {
    defer { begun = [] }
    return begun
  }

  mutating func takeEnded() -> [MIDIEndpoint] {
    defer { ended = [] }
    return ended.filter { endpoint in !wishes.contains { $0.called == endpoint } }
  }

  /// Returns the wishes that are called at an address.
  func names(of control: MIDIEndpoint) -> [MIDINetworkName] {
    wishes.filter { $0.called == control }.map(\.name)
  }

  /// Returns an address for a person: with the session's name, if it was found by name.
  func text(of control: MIDIEndpoint) -> String {
    places.first { $0.endpoint == control }.map { "\($0.name) (\(control.text))" } ?? control.text
  }
}
