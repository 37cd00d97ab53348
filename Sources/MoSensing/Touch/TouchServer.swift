import MoCore
import MoRuntime

/// The implementation of `MoTouch`: it keeps the fingers that are down and the values attached to them.
///
/// - Thread: any; callbacks run on the `mo-input` thread.
package final class TouchServer: Sendable {
  package static let shared = TouchServer()

  package let sensorInput: SensorInput<Touch>
  package let callbacks = CallbackList<TouchChange>()
  private let state = Locked(State())

  package init(_ kind: SensorKind<Touch> = .touch) { sensorInput = SensorInput(kind) }

  fileprivate struct State {
    var fingers: [Touch] = []
    /// The changes that wait for the last of several simultaneous changes.
    var changed: [Touch] = []
    /// The fingers whose last event the program's callbacks have not all received.
    var ending: [Int32] = []
    var attached: [Int32: any Sendable] = [:]
  }

  /// The largest number of fingers that are down at the same time, and of changes in a single `TouchChange`.
  static let most = 64

  package var fingers: [Touch] { state.withLock { $0.fingers } }

  package func start(source: String?, in run: Run) throws {
    try sensorInput.start(
      source: source, in: run, prepare: {},
      receive: { [weak self] in self?.receive($0) },
      changed: { [weak self] event in
        switch event {
        case .using, .lost: self?.cancelAll(at: run.clock.now)
        case .recordingEnded: break
        }
      })
    run.atEnd(of: self) { $0.stop() }
  }

  /// Stops reading; cancels the fingers that are down.
  package func stop() {
    sensorInput.stop()
    cancelAll(at: .distantFuture)
  }

  package func attach(_ value: some Sendable, to id: Int32) {
    state.withLock { state in
      let isKnown = state.fingers.contains { $0.id == id } || state.ending.contains(id)
      if isKnown { state.attached[id] = value }
    }
  }

  package func attached(to id: Int32) -> (any Sendable)? { state.withLock { $0.attached[id] } }

  /// Handles the change of a finger; calls the program's callbacks after the last of several simultaneous changes.
  package func receive(_ touch: Touch) {
    guard touch.id != Touch.everybody else { return cancelAll(at: touch.time) }
    if let oldest = state.withLock({ $0.displaced(by: touch) }) { receive(oldest) }
    sensorInput.record(touch)
    let change = state.withLock { $0.receive(touch) }
    if let change { notify(change) }
  }

  /// Cancels all fingers that are down, each at `time`, but not before the finger's own last change.
  ///
  /// If `time` is `.distantFuture`, each finger is cancelled at the time of its own last change.
  private func cancelAll(at time: HostTime) {
    let fingers = fingers
    for (index, finger) in fingers.enumerated() {
      var last = finger
      last.time = time == .distantFuture ? finger.time : max(time, finger.time)
      last.phase = .cancelled
      last.hasMore = index < fingers.count - 1
      receive(last)
    }
  }

  private func notify(_ change: TouchChange) {
    callbacks.call(change)
    // Only now: in its last event a finger still has its attached value.
    state.withLock { state in
      for touch in change.changed where touch.isOver {
        state.attached[touch.id] = nil
        state.ending.removeAll { $0 == touch.id }
      }
    }
  }
}

extension TouchServer.State {
  /// Returns a touch that cancels the oldest finger, if `touch` is a new finger and `most` fingers are down already.
  ///
  /// Otherwise the result is nil. The oldest finger is the finger that has been down longest.
  fileprivate func displaced(by touch: Touch) -> Touch? {
    guard fingers.count >= TouchServer.most, !touch.isOver, !fingers.contains(where: { $0.id == touch.id })
    else { return nil }
    var oldest = fingers[0]
    oldest.time = max(oldest.time, touch.time)
    oldest.phase = .cancelled
    oldest.hasMore = true
    return oldest
  }

  /// Updates the fingers; returns simultaneous changes together, after the last of them.
  ///
  /// Before the last change, the result is nil, unless `most` changes have arrived. It is also nil if nothing changed.
  fileprivate mutating func receive(_ touch: Touch) -> TouchChange? {
    var touch = touch
    let place = fingers.firstIndex { $0.id == touch.id }
    switch (place, touch.isOver) {
    case (let place?, true):
      fingers.remove(at: place)
      ending.append(touch.id)
    case (let place?, false):
      if touch.phase == .began { touch.phase = .moved }
      fingers[place] = touch
    // A tape may be cut and a message lost: a finger that moves without having come down is reported as coming down.
    case (nil, false):
      touch.phase = .began
      fingers.append(touch)
    case (nil, true):
      guard !touch.hasMore, !changed.isEmpty else { return nil }
      return popChange(at: touch.time)
    }
    changed.append(touch)
    guard !touch.hasMore || changed.count >= TouchServer.most else { return nil }
    return popChange(at: touch.time)
  }

  /// Returns the changes that wait, and removes them, so that a callback which stops the server gets each only once.
  private mutating func popChange(at time: HostTime) -> TouchChange {
    defer { changed = [] }
    return TouchChange(time: time, changed: changed, fingers: fingers)
  }
}

/// The fingers that senders in the network hold down; a finger is cancelled after 5 s without a message about it.
///
/// Otherwise a finger would stay down if the datagram that reports its lifting was lost, or if its sender was switched
/// off.
package struct HeldFingers: SenderTimeout {
  private var fingers: [Held] = []

  package init() {}

  private struct Held {
    var touch: Touch
    var lastReceived: HostTime
  }

  /// The seconds without a message about a finger after which the finger is cancelled; senders repeat a resting finger
  /// every second.
  static let timeout = 5.0

  /// The row for fingers from the network in the sensor's table of sources.
  static var row: SensorRow<Touch> { NetReadings.row(senderTimeout: { HeldFingers() }) }

  package mutating func restart(for touch: Touch, at now: HostTime) {
    if touch.id == Touch.everybody {
      fingers = []
      return
    }
    let place = fingers.firstIndex { $0.touch.id == touch.id }
    switch (place, touch.isOver) {
    case (let place?, true): fingers.remove(at: place)
    case (let place?, false): fingers[place] = Held(touch: touch, lastReceived: now)
    case (nil, true): break
    case (nil, false):
      // The server cancels the same finger.
      if fingers.count >= TouchServer.most { fingers.removeFirst() }
      fingers.append(Held(touch: touch, lastReceived: now))
    }
  }

  package var nextTime: HostTime? {
    fingers.map(\.lastReceived).min()?.advanced(bySeconds: HeldFingers.timeout)
  }

  package mutating func giveUp(at now: HostTime) -> [Touch] {
    guard let due = nextTime, due <= now else { return [] }
    var silent: [Touch] = []
    fingers.removeAll { held in
      guard held.lastReceived.advanced(bySeconds: HeldFingers.timeout) <= now else { return false }
      silent.append(held.touch)
      return true
    }
    for index in silent.indices {
      silent[index].time = max(now, silent[index].time)
      silent[index].phase = .cancelled
      silent[index].hasMore = index < silent.count - 1
    }
    return silent
  }
}
