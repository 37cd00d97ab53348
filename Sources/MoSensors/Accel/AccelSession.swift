import Glibc
import MoNetwork
import MoProgram
import MoRealTime
import MoTime
import Synchronization

/// One stretch of reading: opens the source that was asked for, or the best there is, and changes to another
/// when devices come and go.
///
/// - Thread: any; changes happen on the `mo-input` thread.
final class AccelSession: @unchecked Sendable {
  // Unchecked: what changes is guarded by `lock`.
  private let target: AccelTarget
  private let run: Run
  private let deliver: AccelDelivery
  private let tell: @Sendable (AccelEvent) -> Void
  private let lock = MoMutex()
  private var phones: PhoneListening?
  private var current: (any InputSource)?
  private var watch: DeviceWatch?
  /// What ends the listening to the keys.
  private var keys: MoToken?
  private var since = HostTime.distantPast
  private var hasEnded = false

  init(
    target: AccelTarget, run: Run, deliver: @escaping AccelDelivery,
    tell: @escaping @Sendable (AccelEvent) -> Void
  ) {
    self.target = target
    self.run = run
    self.deliver = deliver
    self.tell = tell
  }

  /// What is read now.
  var sourceName: String? { lock.withLock { current?.name } }

  /// Opens the first source.
  ///
  /// - Throws: `AccelError`.
  func begin() throws {
    switch target {
    case .tape(let path):
      try use(
        TapeAccelerometer(path: path, start: run.clock.now, deliver: deliver) { warning in
          MoLog.log(.warning, warning)
        })
    case .simulated(let player):
      try use(SimulatedAccelerometer(player, start: run.clock.now, deliver: deliver))
    case .keys:
      if run.isOffline { throw AccelError.notOffline(name: "keys") }
      guard let keys = try keys(player: nil) else { throw AccelError.noTerminal }
      try use(keys)
    case .net(let port): try usePhone(port: port)
    case .evdev(let path):
      if run.isOffline { throw AccelError.notOffline(name: "evdev:\(path)") }
      try use(EvdevAccelerometer(path: path, deliver: deliver))
      try watchDevices()
    case .automatic:
      if run.isOffline {
        try use(SimulatedAccelerometer(.shake, start: run.clock.now, deliver: deliver))
      } else {
        if let device = anyDevice() { try use(device) } else { try useStandIn() }
        try watchDevices()
      }
    }
  }

  /// Closes everything.
  func end() {
    let (source, watch, phones) = lock.withLock { () -> ((any InputSource)?, DeviceWatch?, PhoneListening?) in
      hasEnded = true
      defer { (current, self.watch, self.phones) = (nil, nil, nil) }
      return (current, self.watch, self.phones)
    }
    phones?.end()
    if let watch { run.input.remove(watch) }
    if let source { run.input.remove(source) }
    leaveKeys()
  }

  /// What plays while there is no device: the keys, where there is a terminal, else a simulated player.
  private func useStandIn() throws {
    let keys = try keys(player: .shake)
    let how =
      "Choose with --accel evdev:PATH, keys, net, sim:tilt or tape:FILE (--list-devices shows what is here)."
    let missing =
      EvdevList.forbidden().first.map { "There is \(AccelError.noPermission(path: $0)). Until then" }
      ?? "No accelerometer found:"
    run.notice(
      keys != nil
        ? "\(missing) space shakes, the arrows tilt; until the first key a simulated player does. \(how)"
        : "\(missing) a simulated player shakes. \(how)")
    try use(keys ?? SimulatedAccelerometer(.shake, start: run.clock.now, deliver: deliver))
  }

  /// Reads a phone, by whatever `--net` names.
  private func usePhone(port: Int?) throws {
    let network = try NetSource(run.options.net)
    if network == .none { throw AccelError.noNetwork }
    if case .udp = network, run.isOffline { throw AccelError.notOffline(name: "net") }
    let isTape = if case .tape = network { true } else { false }
    let phone = PhoneAccelerometer(
      name: port.map { "net:\($0)" } ?? "net", start: isTape ? nil : run.clock.now, port: { MoNet.port },
      deliver: deliver, tell: tell, notice: { [run] in run.notice($0) })
    let phones = try PhoneListening(to: phone.inbox, port: port) { [run] in run.notice($0) }
    do {
      try use(phone)
    } catch {
      phones.end()
      throw error
    }
    lock.withLock { self.phones = phones }
  }

  /// An accelerometer that is played on the terminal's keys; nil where there is no terminal.
  ///
  /// It has the first choice of the keys, since it needs but five: a desk has more.
  private func keys(player: SimulatedAccelerometer.Player?) throws -> KeysAccelerometer? {
    let source = KeysAccelerometer(clock: run.clock, player: player, deliver: deliver)
    // The input loop services the source and hands it the keys, one thing at a time.
    nonisolated(unsafe) let handed = source
    let token: MoToken?
    do {
      token = try run.keys.add(
        to: run.input, isFirst: true, { handed.take($0, at: $1) }, closed: { handed.close() })
    } catch {
      throw AccelError.noThread(reason: "\(error)")
    }
    guard let token else { return nil }
    lock.withLock { keys = token }
    return source
  }

  private func leaveKeys() {
    let token = lock.withLock {
      defer { keys = nil }
      return keys
    }
    token?.cancel()
  }

  private func anyDevice() -> EvdevAccelerometer? {
    for path in EvdevList.accelerometers() {
      if let device = try? EvdevAccelerometer(path: path, deliver: deliver) { return device }
    }
    return nil
  }

  /// Reads `source` from now on, in place of what was read.
  private func use(_ source: any InputSource) throws {
    let (previous, isOver) = lock.withLock { () -> ((any InputSource)?, Bool) in
      defer { if !hasEnded { (current, since) = (source, run.clock.now) } }
      return (current, hasEnded)
    }
    if isOver { return leaveKeys() }
    if let previous { run.input.remove(previous) }
    // The session keeps the name only; the loop services the source, one thread at a time.
    nonisolated(unsafe) let handed = source
    let name = source.name
    do {
      try run.input.add(handed) { [weak self] error in self?.lost(name, error) }
    } catch {
      lock.withLock { current = nil }
      throw AccelError.noThread(reason: "\(error)")
    }
    // Ended while it was being added: whoever ended it may not have found it there yet.
    nonisolated(unsafe) let added = source
    if lock.withLock({ hasEnded }) { run.input.remove(added) }
  }

  private func watchDevices() throws {
    let watch = DeviceWatch(folder: EvdevList.folder) { [weak self] in self?.devicesChanged() }
    lock.withLock { self.watch = watch }
    nonisolated(unsafe) let handed = watch
    do {
      try run.input.add(handed) { _ in }
    } catch {
      throw AccelError.noThread(reason: "\(error)")
    }
  }

  /// The source failed or its device was unplugged; on the servicing thread.
  private func lost(_ name: String, _ error: any Error) {
    let lasted = lock.withLock { () -> Double? in
      guard current?.name == name, !hasEnded else { return nil }
      current = nil
      return run.clock.now.seconds(since: since)
    }
    guard let lasted else { return }
    leaveKeys()
    tell(.lost(name: name, reason: "\(error)"))
    // Another device may be there, or this one again by now; one that fails at once is not tried on and on.
    if lasted > 1 { devicesChanged() }
    if target == .automatic, sourceName == nil { try? useStandIn() }
  }

  /// Devices came or went: one that was waited for is used; on the servicing thread.
  private func devicesChanged() {
    let (isReading, ended) = lock.withLock { (current is EvdevAccelerometer, hasEnded) }
    guard !isReading, !ended else { return }
    let device: EvdevAccelerometer?
    switch target {
    case .evdev(let path): device = try? EvdevAccelerometer(path: path, deliver: deliver)
    case .automatic: device = anyDevice()
    case .keys, .net, .simulated, .tape: device = nil
    }
    guard let device else { return }
    if target == .automatic { leaveKeys() }
    guard (try? use(device)) != nil else { return }
    tell(.using(name: device.name))
  }
}
