import MoCore
import MoRuntime

/// A finger on the arrow keys: an arrow puts it down and moves it; space lifts it or puts it down.
struct KeyedFinger: KeyControl {
  private var place = SIMD2<Float>(0.5, 0.5)
  private var id: Int32 = 0
  private var isDown = false

  /// The distance that an arrow key moves the finger, as a share of the surface's width or height.
  static let step: Float = 1 / 36

  mutating func takeOver(from last: Touch, at now: HostTime) -> [Touch] {
    id = last.id
    guard !last.isOver else { return [] }
    var end = last
    (end.time, end.phase, end.hasMore) = (now, .ended, false)
    return [end]
  }

  mutating func take(_ key: TerminalKey, at now: HostTime) -> [Touch]? {
    switch key {
    case .left: [move(SIMD2(-1, 0), now)]
    case .right: [move(SIMD2(1, 0), now)]
    case .up: [move(SIMD2(0, -1), now)]
    case .down: [move(SIMD2(0, 1), now)]
    case .character(" "): [isDown ? lift(now) : touch(.began, now)]
    default: nil
    }
  }

  private mutating func move(_ way: SIMD2<Float>, _ now: HostTime) -> Touch {
    place = (place + way * KeyedFinger.step).clamped(lowerBound: .zero, upperBound: SIMD2(1, 1))
    return touch(isDown ? .moved : .began, now)
  }

  private mutating func lift(_ now: HostTime) -> Touch {
    isDown = false
    return touch(.ended, now)
  }

  private mutating func touch(_ phase: Touch.Phase, _ now: HostTime) -> Touch {
    if phase == .began {
      isDown = true
      id = id < .max ? id + 1 : 1
    }
    return Touch(time: now, id: id, phase: phase, x: place.x, y: place.y)
  }
}
