enum RealTimeCheck {
  @inline(__always) static func enter() {}
  @inline(__always) static func leave() {}
}
