import MoCore

/// What is shared, what of it is still to be told, and how it is compared with the keeper's.
struct Sharing: Sendable {
  var store = SharedStore()
  /// What this part of the room shared before it joined another, which is told what it lacks of this.
  var brought: SharedStore?
  /// This member's changes that go out together.
  var pending: [SharedEdits] = []
  var nextFlush = HostTime.distantFuture
  /// When the keeper's digest was first seen to differ; nil while it is equal.
  var differs: HostTime?
  /// Whether the digests were ever equal, so that what the room shares is known.
  var isSettled = false
  /// Whether the last repair asked the keeper, so that the next one tells it.
  var hasAsked = false
  /// Repairs since the digests were equal.
  var repairs = 0
  /// When the uses of shared things are noted next.
  var nextLook = HostTime.distantPast
  /// When the next repair may begin.
  var nextRepair = HostTime.distantPast
  /// When each member was answered last.
  var answered: [MemberID: HostTime] = [:]

  /// Seconds in which changes are gathered into one message.
  static let gathering = 0.005
  /// Seconds after which a difference is repaired: until then the message may be on its way.
  static let timeout = 0.8
  /// Seconds after which what a newcomer has been told counts as all.
  static let settling = 3.0
  /// Least seconds from one repair to the next; more if repairs do not help.
  static let pause = 0.9
  static let longestPause = 60.0

  mutating func repaired(at now: HostTime) {
    repairs += 1
    let pause =
      repairs < 5 ? Self.pause : min(Self.longestPause, Self.pause * Double(1 << min(repairs - 4, 8)))
    nextRepair = now.advanced(bySeconds: pause)
  }

  /// Goes over to another part of the room, whose things are shared from now on.
  mutating func join() {
    if store.count > 0 || brought == nil { brought = store }
    (store, pending, nextFlush) = (SharedStore(), [], .distantFuture)
    (differs, isSettled, hasAsked, repairs, nextRepair) = (nil, false, false, 0, .distantPast)
  }

  mutating func shift(by nanoseconds: Int64) {
    store.shift(by: nanoseconds)
    nextLook = .distantPast
    nextFlush.shift(by: nanoseconds)
    differs = nil
    nextRepair = .distantPast
    answered = [:]
  }
}
