import CMoSystem
import MoCore

/// Names looked up, and those being looked up in the background.
///
/// A thread that callbacks wait for never waits for a name: what it sends to a new one waits instead, up to a bound.
///
/// - Thread: any.
final class NetNames: Sendable {
  private struct State {
    var known: [String: (address: NetAddress, read: HostTime)] = [:]
    var waiting: [String: [@Sendable (NetAddress?) -> Void]] = [:]
    var thread: MoThread?
  }

  private let state = Locked(State())
  private let clock: any TimeSource
  private let resolve: @Sendable (String) -> NetAddress?

  /// How long a name is believed, in seconds; where it must not be waited for, until it has been looked up anew.
  private static let believed = 60.0
  /// How many sendings wait for one name, and how many names are kept.
  private static let mostWaiting = 256

  /// - Parameter resolve: asks the network for a name, which may take long.
  init(
    clock: any TimeSource = SystemClock(), resolve: @escaping @Sendable (String) -> NetAddress? = NetNames.ask
  ) {
    self.clock = clock
    self.resolve = resolve
  }

  private static func ask(_ name: String) -> NetAddress? {
    var native = momu_address()
    guard momu_address_resolve(name, 0, &native) == 0 else { return nil }
    return NetAddress(native)
  }

  /// The address of a name with port 0, if it can be told without asking the network for long.
  ///
  /// - Parameter later: called with the answer, in the background, where nil is returned.
  /// - Throws: `NetError.unknownHost`, `busyLookingUp`.
  func address(of name: String, later: @escaping @Sendable (NetAddress?) -> Void) throws(NetError)
    -> NetAddress?
  {
    let now = clock.now
    let isTimely = momu_thread_is_timely() != 0
    let known = state.withLock { $0.known[name] }
    if let known {
      if now.seconds(since: known.read) < Self.believed { return known.address }
      if isTimely {
        renew(name)
        return known.address
      }
    }
    if !isTimely {
      // Who cannot be asked now was there a minute ago.
      if let address = lookUp(name) { return address }
      guard let known else { throw .unknownHost(name) }
      keep(name, known.address)
      return known.address
    }
    let isFull = state.withLock { state in
      guard state.waiting.count < Self.mostWaiting, state.waiting[name, default: []].count < Self.mostWaiting
      else { return true }
      state.waiting[name, default: []].append(later)
      haveWorked(&state)
      return false
    }
    if isFull { throw .busyLookingUp(name) }
    return nil
  }

  /// Has a name looked up in the background, if it is not yet; what is sent meanwhile goes where it was last.
  private func renew(_ name: String) {
    state.withLock { state in
      guard state.waiting.count < Self.mostWaiting, state.waiting[name] == nil else { return }
      state.waiting[name] = []
      haveWorked(&state)
    }
  }

  private func haveWorked(_ state: inout State) {
    guard state.thread == nil || state.thread?.isFinished == true else { return }
    state.thread = try? MoThread(name: "mo-names", stackBytes: 256 * 1024) { [weak self] _ in self?.work() }
  }

  /// Forgets all names, as after a change of network.
  func forget() { state.withLock { $0.known = [:] } }

  private func work() {
    while true {
      let name = state.withLock { state -> String? in
        guard let name = state.waiting.keys.first else {
          // The next to ask starts another thread.
          state.thread = nil
          return nil
        }
        return name
      }
      guard let name else { return }
      let address = lookUp(name)
      // One that cannot be found now is asked for again in a minute, not for every message.
      if address == nil, let known = state.withLock({ $0.known[name] }) { keep(name, known.address) }
      let waiting = state.withLock { $0.waiting.removeValue(forKey: name) ?? [] }
      for continuation in waiting { continuation(address) }
    }
  }

  private func lookUp(_ name: String) -> NetAddress? {
    guard let address = resolve(name) else { return nil }
    keep(name, address)
    return address
  }

  private func keep(_ name: String, _ address: NetAddress) {
    let now = clock.now
    state.withLock { state in
      if state.known.count >= Self.mostWaiting { state.known = [:] }
      state.known[name] = (address, now)
    }
  }
}
