import MoCore
import MoOSC
import MoRuntime
import Synchronization

/// The implementation of `MoNet`: the sockets, the loop that reads them, the inbound and the outbound side.
///
/// - Thread: any; callbacks run on the `mo-net` thread.
@usableFromInline
package final class NetServer: @unchecked Sendable {
  // Unchecked: `state` and `lifecycle` guard everything that changes.
  /// The server behind `MoNet`.
  @usableFromInline package static let shared = NetServer()

  /// The default port of MoMu, to which ChucK's examples send.
  static let defaultPort = 6449

  package let inbound: NetReceiver
  package let sockets = NetSockets()
  package let events = CallbackList<NetEvent>()
  /// The kernel's index of the only interface whose datagrams are accepted; 0 for all interfaces.
  package let interface = Atomic<UInt32>(0)
  package let outbound: NetSender
  private let lifecycle = MoMutex()
  private let state = Locked(State())
  let warnings = NetWarnings()

  private struct State {
    var loop: NetLoop?
    var tape: NetTape?
    var run: Run?
    var port: Int?
    /// The name of the only interface on which the server listens; nil for all.
    var interface: String?
    var tcpPorts: [Int] = []
    var preferredPort: Int?
    /// Whether the server must begin to listen at the end of the program's set-up, because a callback was added.
    var isWanted = false
    /// The error of the first callback with an invalid address; thrown at the end of the program's set-up.
    var refusal: NetError?
  }

  package init() {
    inbound = NetReceiver(clock: SystemClock(), wall: SystemNetClock()) { MoLog.log(.warning, $0) }
    outbound = NetSender(sockets: sockets)
    outbound.serve(self)
  }

  private var loop: NetLoop? { state.withLock { $0.loop } }

  // MARK: listening

  /// The port on which the server listens; nil if the server does not listen.
  package var port: Int? { state.withLock { $0.port } }

  /// The port that `listen` uses if neither its caller nor `--net` names a port.
  var preferredPort: Int {
    get { state.withLock { $0.preferredPort } ?? Self.defaultPort }
    set { state.withLock { $0.preferredPort = newValue } }
  }

  /// Listens on a UDP port, in place of an earlier port.
  ///
  /// - Parameters:
  ///   - port: the port, unless `--net` names another; nil for the preferred port.
  ///   - interface: accept only messages that arrive on this interface; nil for all.
  package func listen(port: Int? = nil, interface: String? = nil, in run: Run = .current) throws(NetError) {
    let bound = try lifecycle.withLock { () throws(NetError) in try open(port, interface, in: run) }
    // Outside the lock: the callback may itself open more, or stop the server.
    if let bound { events.call(.listening(port: bound)) }
  }

  /// Opens the source of messages that `--net` names; returns the UDP port on which the server listens, or nil if the
  /// source is not UDP or the program runs offline.
  private func open(_ port: Int?, _ interface: String?, in run: Run) throws(NetError) -> Int? {
    state.withLock { $0.isWanted = false }
    switch try NetSource(run.options.net) {
    case .none: return nil
    case .tape(let path):
      try play(path, in: run)
      return nil
    case .udp(let named):
      // An option that was typed for this run overrides the program.
      let port = named ?? port ?? preferredPort
      guard (0...65_535).contains(port) else { throw .badPort(port) }
      if run.isOffline {
        use(run)
        return nil
      }
      let number = try interface.map { (name) throws(NetError) in try NetSockets.index(of: name) }
      if port == 0 || port != state.withLock({ $0.port }) { try sockets.openDatagrams(port: port) }
      sockets.tellInterface(number != nil)
      self.interface.store(UInt32(number ?? 0), ordering: .relaxed)
      try start(run)
      let bound = sockets.port ?? port
      state.withLock {
        $0.port = bound
        $0.interface = interface
      }
      return bound
    }
  }

  /// Listens for TCP connections on a port, unless `--net` names another source than the network.
  package func listenTCP(port: Int, in run: Run = .current) throws(NetError) {
    guard (1...65_535).contains(port) else { throw .badPort(port) }
    guard case .udp = try NetSource(run.options.net) else { return }
    lifecycle.acquire()
    defer { lifecycle.release() }
    if run.isOffline { return use(run) }
    if state.withLock({ $0.tcpPorts.contains(port) }) { return }
    try sockets.openListener(port: port)
    try makeReady(run)
    state.withLock { $0.tcpPorts.append(port) }
    loop?.wakeThread()
  }

  /// Makes the server listen because a callback was added; during the program's set-up, the server begins to listen
  /// only when the set-up ends.
  ///
  /// The program can therefore still choose a port during the set-up.
  func want(in run: Run = .current) {
    guard state.withLock({ $0.port == nil && $0.tape == nil }) else { return }
    if run.isSettingUp { return state.withLock { $0.isWanted = true } }
    do throws(NetError) { try listen(in: run) } catch { MoLog.log(.warning, error.description) }
  }

  /// Handles the error of a callback that cannot be added: during the set-up of the program, the error is thrown at the
  /// end of the set-up; later, it is logged.
  func refuse(_ error: NetError, in run: Run = .current) {
    guard run.isSettingUp else { return MoLog.log(.warning, error.description) }
    state.withLock { $0.refusal = $0.refusal ?? error }
  }

  /// Starts to listen if a callback was added during the set-up of the program; called at the end of the set-up.
  ///
  /// - Throws: the error of a callback that could not be added, or an error in listening.
  package func listenIfWanted(in run: Run) throws(NetError) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    if state.withLock({ $0.isWanted }) { try listen(in: run) }
  }

  /// Opens a socket for sending and starts the threads that read the answers, unless they already run.
  ///
  /// - Returns: true; false offline, when nothing leaves the program.
  func makeReady() throws(NetError) -> Bool {
    if loop != nil { return true }
    let run = state.withLock { $0.run } ?? .current
    if run.isOffline { return false }
    lifecycle.acquire()
    defer { lifecycle.release() }
    try makeReady(run)
    return true
  }

  /// Wakes the network thread, so that it notices changes of sockets and connections.
  func wakeThread() { loop?.wakeThread() }

  /// Calls the callbacks of `MoNet.onEvent` for an event that occurred during sending, and wakes the network thread.
  func notify(_ event: NetEvent) {
    loop?.wakeThread()
    events.call(event)
  }

  private func makeReady(_ run: Run) throws(NetError) {
    if loop != nil { return }
    if sockets.port == nil { try sockets.openDatagrams(port: 0) }
    try start(run)
  }

  private func start(_ run: Run) throws(NetError) {
    if let loop {
      loop.wakeThread()
      return
    }
    // A tape has its own clocks, which stay if the program sends meanwhile.
    if state.withLock({ $0.tape == nil }) { use(run) }
    do throws(NetError) {
      let loop = try NetLoop(server: self, clock: run.clock)
      state.withLock { $0.loop = loop }
      outbound.isRunning.store(true, ordering: .releasing)
    } catch {
      sockets.closeAll()
      throw error
    }
  }

  private func use(_ run: Run) {
    inbound.use(
      clock: run.clock, wall: run.isOffline ? FixedNetClock(offset: 0) : SystemNetClock())
    inbound.open()
    state.withLock { $0.run = run }
  }

  /// Starts to play a tape in place of the network.
  private func play(_ path: String, in run: Run) throws(NetError) {
    guard state.withLock({ $0.tape == nil }) else { return }
    let tape = try NetTape(path: path, start: run.clock.now, server: self)
    inbound.use(clock: run.clock, wall: FixedNetClock(offset: tape.wallOffset))
    inbound.open()
    state.withLock {
      $0.tape = tape
      $0.run = run
    }
    do {
      try run.input.add(tape) { error in MoLog.log(.warning, "\(error)") }
    } catch {
      throw .system("\(error)")
    }
  }

  /// Stops listening and closes everything, as `MoNet.stop()` describes; callbacks stay for the next start.
  package func stop() {
    lifecycle.acquire()
    let (loop, tape, run) = state.withLock { state in
      defer {
        state = State(run: state.run, preferredPort: state.preferredPort)
      }
      return (state.loop, state.tape, state.run)
    }
    outbound.isRunning.store(false, ordering: .releasing)
    interface.store(0, ordering: .relaxed)
    inbound.close()
    outbound.unsent.wrappingAdd(sockets.closeAll(), ordering: .relaxed)
    lifecycle.release()
    // Outside the lock: the callback that this waits for may itself stop or start the server.
    loop?.end()
    if let tape, let run { run.input.remove(tape) }
  }

  package func join(_ text: String, leave: Bool = false) throws(NetError) {
    let parts = text.split(separator: "%", maxSplits: 1)
    guard let name = parts.first, let group = NetAddress(ip: String(name), port: 0), group.isMulticast else {
      throw .noGroup(text)
    }
    let interface = parts.count == 2 ? String(parts[1]) : nil
    if leave { return sockets.leave(group, interface: interface) }
    try sockets.join(group, interface: interface)
  }

  /// Handles a change of the interfaces or their addresses.
  func networkChanged() {
    // An interface that disappeared and came back has another number.
    if let name = state.withLock({ $0.interface }), let number = try? NetSockets.index(of: name) {
      interface.store(UInt32(number), ordering: .relaxed)
    }
    outbound.networkChanged()
    events.call(.interfacesChanged)
  }

  // MARK: status

  package var statistics: NetStatistics {
    var statistics = inbound.statistics
    statistics.kernelDropped = sockets.drops
    statistics.sent = outbound.sent.load(ordering: .relaxed)
    statistics.unsent = outbound.unsent.load(ordering: .relaxed)
    statistics.undelivered = warnings.undelivered
    return statistics
  }
}
