import MoCore

extension HostTime {
  /// Moves the time as the host clock has stepped, unless it stands for always or never.
  mutating func shift(by nanoseconds: Int64) {
    guard self != .distantPast, self != .distantFuture else { return }
    self = advanced(byNanoseconds: nanoseconds)
  }

  /// The time as the host clock has stepped.
  func shifted(by nanoseconds: Int64) -> HostTime {
    var time = self
    time.shift(by: nanoseconds)
    return time
  }
}
