import MoTime

/// What is shared, what of it is still to be told, and how it is compared with the keeper's.
struct Sharing: Sendable {
  var store = SharedStore()
  /// What one's own part of the room shared before it joined another: what that one lacks is told it.
  var brought: SharedStore?
  /// Changes of one's own that go out together.
  var pending: [SharedEdits] = []
  var nextFlush = HostTime.distantFuture
  /// When the keeper's digest was first seen to be another; nil while it is ours.
  var differs: HostTime?
  /// Whether it was ever the same as the keeper's, so that what the room shares is known.
  var isSettled = false
  /// Whether the keeper was asked last time, so that it is our turn to tell.
  var hasAsked = false
  /// How often it was asked or told since then.
  var repairs = 0
  /// When it is noted next whose things are in use.
  var nextLook = HostTime.distantPast
  /// Nothing is asked or told before.
  var nextRepair = HostTime.distantPast
  /// Who was answered when.
  var answered: [MemberID: HostTime] = [:]

  /// Seconds in which changes are gathered.
  static let gathering = 0.005
  /// Seconds for which a difference may be one that is on its way.
  static let timeout = 0.8
  /// Seconds after which what a newcomer has been told counts as all.
  static let settling = 3.0
  /// Seconds from one repair to the next, at least; more where they do not help, as with a keeper that knows no sharing.
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
