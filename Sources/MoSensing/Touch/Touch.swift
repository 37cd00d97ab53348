import MoCore
import MoOSC

/// One finger at one moment: where it is, and what it just did.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
public struct Touch: SensorReading {
  /// On tapes and in the network: `,iffffffii`, `id x y pressure size mmX mmY phase more`; lengths of 0 where unknown.
  public static let address = "/momu/touch"

  /// What the finger did.
  public enum Phase: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// It came down.
    case began
    /// It moved, or pressed otherwise.
    case moved
    /// It was lifted.
    case ended
    /// It is no longer known: the device went away.
    case cancelled
  }

  /// When the kernel saw it.
  public var time: HostTime
  /// Which finger, from 1: its own from coming down to being lifted, and none other's before or after.
  public var id: Int32
  /// What it just did.
  public var phase: Phase
  /// From the left of the surface, 0, to its right, 1.
  public var x: Float
  /// From the top of the surface, 0, to its bottom, 1.
  public var y: Float
  /// How hard, 0 … 1 of what the surface can measure; 1 where it measures none.
  public var pressure: Float
  /// The diameter of what touches, in parts of the surface's width; 0 where it measures none.
  public var size: Float
  /// Where it is, in mm from the left and the top; nil where the surface does not know its own size.
  public var millimetres: SIMD2<Float>?
  /// Whether more fingers changed in the same moment, which are told next.
  public var hasMore: Bool

  /// A finger given by its values.
  public init(
    time: HostTime, id: Int32, phase: Phase, x: Float, y: Float, pressure: Float = 1, size: Float = 0,
    millimetres: SIMD2<Float>? = nil, hasMore: Bool = false
  ) {
    self.time = time
    self.id = id
    self.phase = phase
    self.x = x
    self.y = y
    self.pressure = pressure
    self.size = size
    self.millimetres = millimetres
    self.hasMore = hasMore
  }

  /// Whether the finger is no longer there.
  public var isOver: Bool { phase == .ended || phase == .cancelled }

  /// The reading that the arguments say.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    // Not by way of Float, which knows only every 128th of the largest numbers.
    guard let numbers = OSCArgument.finite(arguments, count: 9),
      let phase = Phase(rawValue: UInt8(min(max(numbers[7], 0), 255))),
      let id = arguments[0].number.flatMap({ Int32(exactly: $0.rounded(.towardZero)) }), id >= 0
    else { return nil }
    self.init(
      time: time, id: id, phase: phase, x: numbers[1], y: numbers[2], pressure: numbers[3],
      size: numbers[4], millimetres: numbers[5] == 0 && numbers[6] == 0 ? nil : SIMD2(numbers[5], numbers[6]),
      hasMore: numbers[8] != 0)
  }

  /// As `,iffffffii`.
  public var arguments: [OSCArgument] {
    [
      .int32(id), .float(x), .float(y), .float(pressure), .float(size), .float(millimetres?.x ?? 0),
      .float(millimetres?.y ?? 0), .int32(Int32(phase.rawValue)), .int32(hasMore ? 1 : 0),
    ]
  }

  /// All fingers are off: what a tape that ends says of those that are still down.
  public var atRest: Touch? {
    Touch(time: time, id: Touch.everybody, phase: .cancelled, x: x, y: y)
  }

  /// An id that stands for all fingers.
  static let everybody: Int32 = 0
}
