import MoCore
import MoOSC

/// A clock that converts the network's wall-clock times to host times.
package protocol NetClock: Sendable {
  /// Returns the nanoseconds to add to a host time to get nanoseconds since 1970 (UTC).
  func wallOffset() -> Int64
}

/// The wall clock and the host clock of the machine.
package struct SystemNetClock: NetClock {
  package init() {}

  package func wallOffset() -> Int64 { SystemClock().wallClock(of: .zero) }
}

/// A wall clock at a fixed distance from the host clock, as in an offline render.
struct FixedNetClock: NetClock {
  var offset: Int64

  func wallOffset() -> Int64 { offset }
}

extension OSCTimeTag {
  /// Returns the time tag as a host time.
  ///
  /// - Parameter wallOffset: the nanoseconds to add to a host time to get nanoseconds since 1970.
  func hostTime(wallOffset: Int64) -> HostTime { HostTime(nanoseconds: nanosecondsSince1970 &- wallOffset) }

  /// Creates the time tag of a host time.
  ///
  /// - Parameter wallOffset: the nanoseconds to add to a host time to get nanoseconds since 1970.
  package init(_ time: HostTime, wallOffset: Int64) {
    self.init(nanosecondsSince1970: time.nanoseconds &+ wallOffset)
  }
}
