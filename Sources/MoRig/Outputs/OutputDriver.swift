import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// The control of one output: it accepts messages, limits their rate, and sets the safe value when messages stop.
///
/// If a device is missing or fails, the driver tries to open it again after 1 s. Each further wait is twice as long, up
/// to 5 minutes. A device that has been opened gets the current value. The driver never waits, since its thread also
/// reads the sensors.
///
/// - Thread: any.
package final class OutputDriver: @unchecked Sendable {
  // Unchecked: `lock` guards the mutable state, except for the counts, which have their own lock.
  let plan: RigOutput
  private let root: String
  private let log: @Sendable (MoLog.Level, String) -> Void
  private let lock = MoMutex()
  private var device: (any OutputDevice)?
  private var rules: StreamRules
  /// The level of the output, 0 … 1; while the device is missing, the level that the device gets when it is opened.
  private var level: Float
  private var lastHeard: HostTime?
  /// The time at which contact was lost: no message had come for `plan.timeout` seconds.
  ///
  /// Nil while there is contact, and before the first message.
  private var lostSince: HostTime?
  private var nextTry = HostTime.distantPast
  private var pause = OutputDriver.shortestPause
  private var limit = LogLineLimit()
  /// Whether the driver waits a first time for udev's access rights to a new device.
  private var isPassing = false
  private var hasEnded = false
  private let state = Locked(Counts())

  /// The counts of an output's messages.
  package struct Counts: Equatable, Sendable {
    /// The number of messages that set the output.
    package var messages = 0
    /// The number of messages that did not set the output: they had not exactly one number, or came from a machine
    /// without permission.
    package var ignored = 0
    /// The output's present level, 0 … 1; nil while the device is missing.
    package var level: Float?
    var lastHeard: HostTime?
    /// The reason why the output's device cannot be set; nil while it can be set.
    package var failure: String?
  }

  /// The first and the longest pause between attempts to open the device, in seconds; each failure doubles the pause.
  private static let (shortestPause, longestPause) = (1.0, 300.0)

  /// - Parameter root: the path before `/sys`; empty for this machine.
  package init(_ plan: RigOutput, root: String = "", log: @escaping @Sendable (MoLog.Level, String) -> Void) {
    self.plan = plan
    self.root = root
    self.log = log
    level = plan.safe
    rules = StreamRules(StreamRules.Settings(rate: plan.rate))
  }

  package var counts: Counts { state.withLock { $0 } }

  /// Handles a message to this output's address.
  package func receive(_ arguments: [OSCArgument], from sender: NetAddress, now: HostTime) {
    lock.acquire()
    defer { lock.release() }
    guard !hasEnded else { return }
    let isAllowed = plan.senders.isEmpty || plan.senders.contains(sender.with(port: 0))
    guard isAllowed, arguments.count == 1, let number = Self.number(arguments[0]),
      let wanted = plan.level(number)
    else {
      let isFirst = state.withLock { state in
        state.ignored += 1
        return state.ignored == 1
      }
      if isFirst {
        log(
          .warning,
          isAllowed
            ? "[\(plan.title)] ignores a message from \(sender.host): it takes one number, 0 to 1"
            : "[\(plan.title)] ignores messages from \(sender.host), which from does not name")
      }
      return
    }
    state.withLock { state in
      state.messages += 1
      state.lastHeard = now
    }
    lastHeard = now
    if let since = lostSince {
      lostSince = nil
      logLine(
        .notice, "[\(plan.title)] receives messages again, after \(Int(now.seconds(since: since))) s.", now)
    }
    if let due = rules.filter([wanted], at: now) { set(due[0], now) }
  }

  /// Does the work that is due: sets a delayed value or the safe value, tries again to open the device, or logs a
  /// summary of suppressed lines.
  package func service(until now: HostTime) {
    lock.acquire()
    defer { lock.release() }
    guard !hasEnded else { return }
    if device == nil, now >= nextTry { openDevice(now) }
    if let due = rules.due(at: now) { set(due[0], now) }
    if let line = limit.summary(now: now) { log(line.0, line.1) }
    guard plan.timeout > 0, lostSince == nil, let last = lastHeard,
      now.seconds(since: last) >= plan.timeout
    else { return }
    lostSince = now
    // A delayed value must not follow after the safe value.
    rules = StreamRules(StreamRules.Settings(rate: plan.rate))
    set(plan.safe, now)
    logLine(
      .warning,
      "[\(plan.title)] received no message for \(plan.timeout.short) s: it is set to its safe value, "
        + "\(plan.safe)",
      now)
  }

  /// The time at which `service` next has work if no message arrives; nil for no work.
  package var nextTime: HostTime? {
    lock.acquire()
    defer { lock.release() }
    guard !hasEnded else { return nil }
    var next = rules.nextTime ?? .distantFuture
    if device == nil { next = min(next, nextTry) }
    if let due = limit.nextTime { next = min(next, due) }
    if plan.timeout > 0, lostSince == nil, let last = lastHeard {
      next = min(next, last.advanced(bySeconds: plan.timeout))
    }
    return next == .distantFuture ? nil : next
  }

  /// Sets the output to its safe value and releases the device.
  package func end() {
    lock.acquire()
    defer { lock.release() }
    guard !hasEnded else { return }
    hasEnded = true
    do throws(OutputError) {
      try device?.set(plan.safe)
    } catch {
      log(.warning, "[\(plan.title)] could not be set to its safe value at the end: \(error)")
    }
    device = nil
    state.withLock { $0.level = nil }
  }

  private func set(_ level: Float, _ now: HostTime) {
    self.level = level
    guard let device else { return }
    do throws(OutputError) {
      try device.set(level)
      state.withLock { $0.level = level }
    } catch {
      self.device = nil
      fail(error, now)
    }
  }

  private func openDevice(_ now: HostTime) {
    guard let name = plan.device else { return }
    do throws(OutputError) {
      device = try name.open(level: level, frequency: plan.frequency, root: root)
      (pause, isPassing) = (Self.shortestPause, false)
      let hadFailed = state.withLock { state in
        defer { (state.failure, state.level) = (nil, level) }
        return state.failure != nil
      }
      if hadFailed { logLine(.notice, "[\(plan.title)] drives \(name.text) now.", now) }
    } catch {
      fail(error, now)
    }
  }

  private func fail(_ error: OutputError, _ now: HostTime) {
    if error.mayPass, !isPassing {
      isPassing = true
      nextTry = now.advanced(bySeconds: Self.shortestPause)
      return
    }
    nextTry = now.advanced(bySeconds: pause)
    pause = min(2 * pause, Self.longestPause)
    let isNew = state.withLock { state in
      defer { (state.failure, state.level) = (error.description, nil) }
      return state.failure != error.description
    }
    if isNew { logLine(.warning, "[\(plan.title)] cannot be set: \(error); the rig tries again", now) }
  }

  /// Logs a line; at most ten lines an hour are logged for this output.
  private func logLine(_ level: MoLog.Level, _ line: String, _ now: HostTime) {
    let line = limit.line(level, line, about: "[\(plan.title)]", now: now)
    if let line { log(line.0, line.1) }
  }

  /// Returns an argument's number, or 1 for true and 0 for false; nil for any other argument.
  private static func number(_ argument: OSCArgument) -> Double? {
    if case .bool(let truth) = argument { return truth ? 1 : 0 }
    return argument.number
  }
}
