import MoCore
import MoRuntime

/// A heading that the arrow keys change: the keys left and right turn it, the key up sets it to north.
struct KeyedHeading: KeyControl {
  private var degrees: Float = 0

  /// The angle by which an arrow key turns the heading, in degrees.
  static let step: Float = 10

  mutating func takeOver(from last: Heading, at now: HostTime) -> [Heading] {
    degrees = last.magneticHeading
    return []
  }

  mutating func take(_ key: TerminalKey, at now: HostTime) -> [Heading]? {
    switch key {
    case .left: degrees = Heading.wrapped(degrees - KeyedHeading.step)
    case .right: degrees = Heading.wrapped(degrees + KeyedHeading.step)
    case .up: degrees = 0
    default: return nil
    }
    return [Heading(time: now, magnetic: degrees, accuracy: 0)]
  }
}
