import CMoSystem
import MoRealTime
import MoTime

/// Names looked up, and those being looked up in the background.
///
/// A thread that callbacks wait for never waits for a name: what it sends waits instead, up to a bound.
///
/// - Thread: any.
final class NetNames: Sendable {
  private struct State {
    var known: [String: (address: NetAddress, read: HostTime)] = [:]
    var waiting: [String: [@Sendable (NetAddress?) -> Void]] = [:]
    var thread: MoThread?
  }

  private let state = Guarded(State())
  private let clock = SystemClock()

  /// How long a name is believed, in seconds; longer where it must not be waited for.
  private static let believed = 60.0
  /// How many sendings wait for one name, and how many names are kept.
  private static let mostWaiting = 256

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
      if isTimely || now.seconds(since: known.read) < Self.believed { return known.address }
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
      if state.thread == nil || state.thread?.isFinished == true {
        state.thread = try? MoThread(name: "mo-names", stackBytes: 256 * 1024) { [weak self] _ in self?.work()
        }
      }
      return false
    }
    if isFull { throw .busyLookingUp(name) }
    return nil
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
      let waiting = state.withLock { $0.waiting.removeValue(forKey: name) ?? [] }
      for continuation in waiting { continuation(address) }
    }
  }

  private func lookUp(_ name: String) -> NetAddress? {
    var native = momu_address()
    guard momu_address_resolve(name, 0, &native) == 0 else { return nil }
    let address = NetAddress(native)
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
