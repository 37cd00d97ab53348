import MoCore

/// The fingers that senders in the network hold down; a finger is cancelled after 5 s without a message about it.
///
/// Otherwise a finger would stay down if the datagram that reports its lifting was lost, or if its sender was switched
/// off.
struct HeldFingers: SenderTimeout {
  private var fingers: [Held] = []

  private struct Held {
    var touch: Touch
    var heard: HostTime
  }

  /// The seconds without a message about a finger after which the finger is cancelled; senders repeat a resting finger
  /// every second.
  static let patience = 5.0

  /// The row for fingers from the network in the sensor's table of sources.
  static var row: SensorRow<Touch> { NetReadings.row(vigil: { HeldFingers() }) }

  mutating func hear(_ touch: Touch, at now: HostTime) {
    if touch.id == Touch.everybody {
      fingers = []
      return
    }
    let place = fingers.firstIndex { $0.touch.id == touch.id }
    switch (place, touch.isOver) {
    case (let place?, true): fingers.remove(at: place)
    case (let place?, false): fingers[place] = Held(touch: touch, heard: now)
    case (nil, true): break
    case (nil, false):
      // The server cancels the same finger.
      if fingers.count >= TouchServer.most { fingers.removeFirst() }
      fingers.append(Held(touch: touch, heard: now))
    }
  }

  var nextTime: HostTime? { fingers.map(\.heard).min()?.advanced(bySeconds: HeldFingers.patience) }

  mutating func giveUp(at now: HostTime) -> [Touch] {
    guard let due = nextTime, due <= now else { return [] }
    var silent: [Touch] = []
    fingers.removeAll { held in
      guard held.heard.advanced(bySeconds: HeldFingers.patience) <= now else { return false }
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
