import CMoSystem
import MoCore

/// A cache of host names with their addresses, which also looks up new names in the background.
///
/// The threads that run callbacks never wait for a lookup: messages to a new name are queued instead, up to a limit.
///
/// - Thread: any.
package final class NetNames: Sendable {
  private struct State {
    /// The answers by their names; the address of an unknown name is nil.
    var known: [String: (address: NetAddress?, read: HostTime)] = [:]
    var waiting: [String: [@Sendable (NetAddress?) -> Void]] = [:]
    var thread: MoThread?
  }

  private let state = Locked(State())
  private let clock: any TimeSource
  private let resolve: @Sendable (String) -> NetAddress?

  /// The time for which an address is valid, in seconds; an older address is used until the next answer has arrived.
  private static let believed = 60.0
  /// The age of an address, in seconds, from which a thread that may wait looks up the name before it sends.
  ///
  /// A program that sends once an hour would otherwise send to the previous address after each change.
  private static let longestUse = 600.0
  /// The time after which a name that was not found is looked up again, in seconds.
  private static let unknownTime = 5.0
  /// The largest number of messages that wait for the same name.
  ///
  /// This is also the largest number of names that wait for a lookup, and of names whose answer is stored.
  private static let mostWaiting = 256

  /// Creates an empty cache.
  ///
  /// - Parameter resolve: looks up a name on the network, which may take long.
  package init(
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

  /// Returns the address of a name, with port 0; nil on a thread that must not wait, if the name is new.
  ///
  /// On other threads, the call waits for the lookup of a new name, and of a name whose address is older than 600 s.
  /// A name that was not found is looked up again in the background only, so that a loop of calls does not wait again
  /// and again.
  ///
  /// - Parameter later: if this function returns nil, called in the background with the address, or with nil for an
  ///   unknown name.
  /// - Throws: `NetError.unknownHost`, `busyLookingUp`.
  package func address(of name: String, later: @escaping @Sendable (NetAddress?) -> Void) throws(NetError)
    -> NetAddress?
  {
    let now = clock.now
    if let known = state.withLock({ $0.known[name] }) {
      let age = now.seconds(since: known.read)
      if let address = known.address {
        if age >= Self.longestUse, momu_thread_is_timely() == 0 { return lookUp(name) ?? address }
        if age >= Self.believed { renew(name) }
        return address
      }
      if age >= Self.unknownTime { renew(name) }
      throw .unknownHost(name)
    }
    if momu_thread_is_timely() == 0 {
      guard let address = lookUp(name) else { throw .unknownHost(name) }
      return address
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

  /// Looks up a name in the background, unless a lookup of this name is under way.
  ///
  /// Until the lookup ends, messages go to the last known address of the name, or are errors if there is none.
  private func renew(_ name: String) {
    state.withLock { state in
      guard state.waiting.count < Self.mostWaiting, state.waiting[name] == nil else { return }
      state.waiting[name] = []
      haveWorked(&state)
    }
  }

  private func haveWorked(_ state: inout State) {
    guard state.thread == nil || state.thread?.isFinished == true else { return }
    state.thread = try? MoThread(name: "mo-names", stackBytes: 256 * 1024) { [weak self] _ in
      // The thread serves all names, so a waiting message must not wait for its connection here.
      momu_thread_set_timely(1)
      self?.work()
    }
  }

  /// Forgets all names, such as after a change of network.
  package func forget() { state.withLock { $0.known = [:] } }

  private func work() {
    while true {
      let name = state.withLock { state -> String? in
        guard let name = state.waiting.keys.first else {
          // The next request starts another thread.
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

  /// Looks up a name now, and stores the answer; a name that cannot be found now keeps its last address.
  private func lookUp(_ name: String) -> NetAddress? {
    let found = resolve(name)
    let now = clock.now
    return state.withLock { state in
      let address = found ?? state.known[name]?.address
      if state.known.count >= Self.mostWaiting { state.known = [:] }
      state.known[name] = (address, now)
      return address
    }
  }
}
