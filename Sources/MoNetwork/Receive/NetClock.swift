import MoCore
import MoOSC

/// Puts the network's wall-clock moments on the host clock.
protocol NetClock: Sendable {
  /// Nanoseconds to add to a host time to get nanoseconds since 1970 (UTC).
  func wallOffset() -> Int64
}

/// The machine's clocks.
struct SystemNetClock: NetClock {
  func wallOffset() -> Int64 { SystemClock().wallClock(of: .zero) }
}

/// A wall clock that stands at a fixed distance, as in an offline render.
struct FixedNetClock: NetClock {
  var offset: Int64

  func wallOffset() -> Int64 { offset }
}

extension OSCTimeTag {
  /// The moment on the host clock.
  func hostTime(wallOffset: Int64) -> HostTime { HostTime(nanoseconds: nanosecondsSince1970 &- wallOffset) }

  /// The tag of a moment on the host clock.
  init(_ time: HostTime, wallOffset: Int64) {
    self.init(nanosecondsSince1970: time.nanoseconds &+ wallOffset)
  }
}
