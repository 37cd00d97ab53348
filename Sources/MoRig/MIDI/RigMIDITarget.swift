import MIDICore
import MoCore
import MoRuntime

/// A MIDI port to which a rig sends values: changed values only, without jitter, and no faster than a MIDI cable
/// allows.
///
/// - Thread: `mo-input`, which reads the sensors, or offline the renderer's thread; `update` and `close` any.
package final class RigMIDITarget: EventTimer, @unchecked Sendable {
  // Unchecked: the rest is guarded by `state`.
  package let name: String
  let channel: Int
  private let log: @Sendable (MoLog.Level, String) -> Void
  private let state: Locked<State>

  private struct State {
    var port: (any RigMIDIPort)?
    var values: MIDIValueStream
    var keys: RigMIDIKeys
    /// The clock of the run that opened the port; nil before that.
    var clock: (any TimeSource)?
    var messages = 0
    var failure: String?
    var nextTry = HostTime.distantPast
    var pause = RigMIDITarget.shortestPause
    var isClosed = false
    var hasBegun = false
  }

  /// The first and the longest pause between attempts to open the port, in seconds; each failure doubles the pause.
  private static let (shortestPause, longestPause) = (5.0, 300.0)

  /// - Parameters:
  ///   - name: the name of the port.
  ///   - channel: the MIDI channel, 1…16.
  init(_ name: String, channel: Int, log: @escaping @Sendable (MoLog.Level, String) -> Void) {
    (self.name, self.channel, self.log) = (name, channel, log)
    let number = MIDIChannel(exactly: channel - 1) ?? 0
    state = Locked(State(values: MIDIValueStream(number), keys: RigMIDIKeys(number)))
  }

  /// The number of messages that were sent.
  var messages: Int { state.withLock { $0.messages } }

  /// The reason why the last attempt to open the port failed; nil if the port is open, or before the first attempt.
  var failure: String? { state.withLock { $0.failure } }

  /// Opens the port if an attempt is due, and sends the values that the port has not received yet.
  ///
  /// The log has a line when a problem begins, and a line when it ends.
  func update(_ ports: (any RigMIDIPorts)?, in run: Run) {
    let now = run.clock.now
    open(ports, in: run, now)
    state.withLock { Self.send(&$0, at: now) }
  }

  private func open(_ ports: (any RigMIDIPorts)?, in run: Run, _ now: HostTime) {
    let isDue = state.withLock { !$0.isClosed && $0.port == nil && now >= $0.nextTry }
    guard isDue else { return }
    do {
      guard let ports else { throw Missing() }
      let port = try ports.open(name, in: run) { [weak self] in self?.forget() }
      let wasFailing = state.withLock { state in
        defer { (state.port, state.clock, state.failure) = (port, run.clock, nil) }
        return state.failure != nil
      }
      if wasFailing { log(.notice, "\(RigStream.midiPrefix)\(name) is open now.") }
      begin(in: run)
    } catch {
      let text = "\(RigStream.midiPrefix)\(name): \(error)"
      let isNew = state.withLock { state in
        defer { state.failure = text }
        state.nextTry = now.advanced(bySeconds: state.pause)
        state.pause = min(2 * state.pause, Self.longestPause)
        return state.failure != text
      }
      if isNew { log(.warning, "\(text); the rig tries again") }
    }
  }

  /// The error of a program that has no MIDI ports, such as `momu-rig`.
  struct Missing: Error, CustomStringConvertible {
    let description = "this program has no MIDI: run the rig with momu rig"
  }

  /// Adds this target to the event loop of `run` at the first call, so that delayed values are sent without a further
  /// reading.
  private func begin(in run: Run) {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    if isFirst { try? run.input.add(self) { _ in } }
  }

  /// Makes the next `update` send all values again: a device that was plugged in again does not have the values.
  private func forget() {
    state.withLock { state in
      state.values.forget()
      state.keys.forget()
    }
  }

  /// Handles a reading: each value moves the controller or key at the same index of `places`.
  ///
  /// - Parameters:
  ///   - sender: the sensor's sender, which then owns the key that the value moves.
  ///   - range: the range of the sensor's values, which corresponds to the full range of a controller.
  func send(
    _ values: [Float], _ places: [RigMIDIPlace], from sender: ObjectIdentifier, range: ClosedRange<Double>,
    at time: HostTime
  ) {
    state.withLock { state in
      for (value, place) in zip(values, places) where value.isFinite {
        let width = Float(range.upperBound - range.lowerBound)
        let part = max(0, min((value - Float(range.lowerBound)) / width, 1))
        switch place {
        case .none: break
        case .value(let target): state.values.set(target, to: part * target.top)
        case .key(let key): state.keys.set(key, part, from: sender)
        }
      }
      Self.send(&state, at: time)
    }
  }

  /// Releases the keys that a sender holds down, since its sensor was unplugged or removed.
  func release(of sender: ObjectIdentifier) {
    state.withLock { state in
      state.keys.release(of: sender)
      if let clock = state.clock { Self.send(&state, at: clock.now) }
    }
  }

  private static func send(_ state: inout State, at time: HostTime) {
    guard let port = state.port else { return }
    var (count, bytes) = (0, 0)
    // Notes are not delayed by a rate limit: a MIDI cable is fast enough for the keys of a few switches.
    state.keys.send {
      count += 1
      bytes += $0.bytes.count
      port.send($0, at: time)
    }
    if bytes > 0 { state.values.spend(bytes: bytes, at: time) }
    state.values.send(at: time) {
      count += 1
      port.send($0, at: time)
    }
    state.messages += count
  }

  package var nextTime: HostTime? { state.withLock { $0.port == nil ? nil : $0.values.nextTime } }

  package func service(until now: HostTime) {
    state.withLock { state in
      guard let next = state.values.nextTime, next <= now else { return }
      Self.send(&state, at: now)
    }
  }

  /// Releases sounding notes, and closes the port.
  func close(in run: Run) {
    let (port, hasBegun) = state.withLock { state in
      defer { (state.port, state.isClosed) = (nil, true) }
      return (state.port, state.hasBegun)
    }
    if hasBegun { run.input.remove(self) }
    port?.close()
  }
}

/// The MIDI ports of a program that runs rigs.
package protocol RigMIDIPorts: Sendable {
  /// Opens a port for sending; if the port is missing, waits for it in the background.
  ///
  /// - Parameters:
  ///   - name: the name of the port, in a form that the option `--midi-out` accepts.
  ///   - returned: called on any thread when the port appears: the first time, and each time it returns.
  /// - Throws: an error whose text says what to type.
  func open(
    _ name: String, in run: Run, returned: @escaping @Sendable () -> Void
  ) throws -> any RigMIDIPort

  /// Returns why a port cannot be used now, and whether waiting for a device will help; nil if the port can be used.
  func problem(with name: String) -> (text: String, isWaiting: Bool)?
}

/// An open port.
///
/// - Thread: any.
package protocol RigMIDIPort: Sendable {
  /// Sends a message without blocking.
  func send(_ message: MIDIMessage, at time: HostTime)

  /// Releases sounding notes and closes the port.
  func close()
}

extension Rig {
  private static let ports = Locked<(any RigMIDIPorts)?>(nil)

  /// The program's MIDI ports; nil for a program without any, such as `momu-rig`.
  package static var midi: (any RigMIDIPorts)? {
    get { ports.withLock { $0 } }
    set { ports.withLock { $0 = newValue } }
  }
}
