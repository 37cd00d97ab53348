import MoCore

/// Where readings come from: a device, a tape, the terminal's keys, a simulated player.
///
/// A source is driven, it has no thread: in real time by the `mo-input` thread, which waits for its descriptor
/// and its next time, and services it when either has come, not before; offline by the renderer, which asks for the next
/// times and services all inputs at the first of them. It delivers its readings to whoever made it, in time order.
///
/// - Thread: one at a time, the one that drives it.
package protocol EventSource: AnyObject {
  /// What the source is called in options and messages, such as `evdev:/dev/input/event5`.
  var name: String { get }

  /// A descriptor that becomes readable when there is something to do, for sources that have one.
  var descriptor: Int32? { get }

  /// When the source next has something to do by itself; nil where only the descriptor tells, or it has ended.
  var nextTime: HostTime? { get }

  /// Whether its descriptor is ready seldom, and stays the same as long as the source is driven.
  ///
  /// The thread waits for all such descriptors as for one, so that they add nothing to the cost of a wait.
  var isSeldomReady: Bool { get }

  /// Whether it comes to an end by itself, as a tape does.
  var isFinite: Bool { get }

  /// Delivers all that is due up to and including `now`.
  ///
  /// - Throws: what ends the source: a device that went, a tape that cannot be read on.
  func service(until now: HostTime) throws
}

extension EventSource {
  package var isFinite: Bool { false }
  package var isSeldomReady: Bool { false }
}
