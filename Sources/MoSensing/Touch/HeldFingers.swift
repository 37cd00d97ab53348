import MoCore

/// The fingers that senders in the network hold down; one that is not heard of for some seconds is cancelled.
///
/// A datagram that says that a finger was lifted may be lost, and a sender may be switched off.
struct HeldFingers: SenderTimeout {
  private var fingers: [Held] = []

  private struct Held {
    var touch: Touch
    var heard: HostTime
  }

  /// Seconds without news after which nobody believes in a finger; senders repeat those that rest every second.
  static let patience = 5.0

  /// A table's row for fingers from the network.
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
      // The server gives the same one up.
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
