import MIDICore
import MoMu

/// The network sessions that the user wants, and the addresses at which this program calls them.
///
/// A call is an invitation of AppleMIDI. This value has no sockets: it takes wanted sessions and Avahi's findings, and
/// returns the calls to begin and to end.
struct MIDINetworkCalls {
  private struct Request {
    let name: MIDINetworkName
    var called: MIDIEndpoint?
    /// The called address that did not answer, so that `update` tries the session's next address; nil if there is none.
    var silent: MIDIEndpoint?
  }

  private var requests: [Request] = []
  private(set) var places: Set<MIDINetworkPlace> = []
  private var begun: [MIDIEndpoint] = []
  private var ended: [MIDIEndpoint] = []

  /// Adds a wanted session; `host` is the address of `net:HOST:PORT`, nil for the other forms.
  mutating func want(_ name: MIDINetworkName, host: MIDIEndpoint?) {
    guard !requests.contains(where: { $0.name == name }) else { return }
    requests.append(Request(name: name, called: host))
    if let host { begun.append(host) }
  }

  /// Calls a session of the form `net:HOST:PORT` at another address, if its host has another address now.
  ///
  /// - Parameter hasJoined: returns whether the session at an address is connected; a connected session keeps its
  ///   address.
  mutating func move(_ name: MIDINetworkName, to host: MIDIEndpoint, hasJoined: (MIDIEndpoint) -> Bool) {
    guard let index = requests.firstIndex(where: { $0.name == name }), let called = requests[index].called,
      called != host, !hasJoined(called)
    else { return }
    requests[index].called = host
    ended.append(called)
    begun.append(host)
  }

  mutating func add(_ findings: [ServiceDirectory<MIDINetworkPlace>.Finding]) {
    for finding in findings {
      switch finding {
      case .hint(let place): places.insert(place)
      case .gone(let place): places.remove(place)
      }
    }
  }

  /// Remembers that an address did not answer, so that `update` tries the next address of the session.
  mutating func tryNext(after control: MIDIEndpoint) {
    for index in requests.indices where requests[index].called == control { requests[index].silent = control }
  }

  /// Chooses the address to call for each session that is wanted by its name (`net:NAME`).
  ///
  /// - Parameter hasJoined: returns whether the session at an address is connected; a connected session keeps its
  ///   address.
  mutating func update(hasJoined: (MIDIEndpoint) -> Bool) {
    for index in requests.indices {
      guard case .named(let name) = requests[index].name else { continue }
      if let called = requests[index].called, hasJoined(called) { continue }
      let found = MIDINetworkPlace.matches(name, in: places).map(\.endpoint)
      let called = requests[index].called
      var next = called.flatMap { found.contains($0) ? $0 : nil } ?? found.first
      if let silent = requests[index].silent, silent == next, let place = found.firstIndex(of: silent) {
        next = found[(place + 1) % found.count]
      }
      requests[index].silent = nil
      guard next != called else { continue }
      if let called { ended.append(called) }
      if let next { begun.append(next) }
      requests[index].called = next
    }
  }

  mutating func takeBegun() -> [MIDIEndpoint] {
    defer { begun = [] }
    return begun
  }

  mutating func takeEnded() -> [MIDIEndpoint] {
    defer { ended = [] }
    return ended.filter { endpoint in !requests.contains { $0.called == endpoint } }
  }

  /// Returns the wanted sessions that are called at an address.
  func names(of control: MIDIEndpoint) -> [MIDINetworkName] {
    requests.filter { $0.called == control }.map(\.name)
  }

  /// Returns an address as text for the user, with the session's name if Avahi found the session.
  func text(of control: MIDIEndpoint) -> String {
    places.first { $0.endpoint == control }.map { "\($0.name) (\(control.text))" } ?? control.text
  }
}
