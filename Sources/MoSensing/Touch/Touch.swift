import MoCore
import MoOSC

/// A finger at a moment: its position, and its last change.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
public struct Touch: SensorReading {
  /// The OSC address on tapes and in the network, with nine arguments of the types `,iffffffii`.
  ///
  /// The values are `id x y pressure size mmX mmY phase more`; `mmX` and `mmY` are 0 if unknown. `phase` is 0 … 3 in
  /// the order of `Phase`. `more` is 1 if another finger changed at the same moment, else 0.
  public static let address = "/momu/touch"

  /// The value before the first measurement: a cancelled touch.
  public static var initial: Self { Self(time: .zero, id: 0, phase: .cancelled, x: 0, y: 0) }

  /// Whether readings may be skipped: false, since a finger whose lift is skipped would stay down.
  public static let canBeThinned = false

  /// The kinds of changes of a finger.
  public enum Phase: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// The finger came down.
    case began
    /// The finger moved, or its pressure changed.
    case moved
    /// The finger was lifted.
    case ended
    /// The finger is no longer known: the device disappeared, or a tape ended.
    case cancelled
  }

  /// The time at which the kernel registered the change.
  public var time: HostTime
  /// The number of the finger, from 1: constant while the finger is down; its source never uses it for another finger.
  public var id: Int32
  /// The change that just occurred.
  public var phase: Phase
  /// The horizontal position, from 0 at the left of the surface to 1 at its right.
  public var x: Float
  /// The vertical position, from 0 at the top of the surface to 1 at its bottom.
  public var y: Float
  /// The pressure, as a share of the surface's range, 0 … 1; 1 if the surface measures no pressure.
  public var pressure: Float
  /// The diameter of the contact, as a share of the surface's width; 0 if the surface measures no diameter.
  public var size: Float
  /// The position in mm from the left and the top; nil if the size of the surface is unknown.
  public var millimetres: SIMD2<Float>?
  /// Whether more fingers changed at the same moment; their readings follow next.
  public var hasMore: Bool

  /// Creates a finger from its values.
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

  /// Whether the finger was lifted or cancelled.
  public var isOver: Bool { phase == .ended || phase == .cancelled }

  /// Creates the reading from OSC arguments of types `,iffffffii`.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    // Not by way of Float, which can represent only every 128th of the largest numbers.
    guard let numbers = OSCArgument.finite(arguments, count: 9),
      let phase = Phase(rawValue: UInt8(min(max(numbers[7], 0), 255))),
      let id = arguments[0].number.flatMap({ Int32(exactly: $0.rounded(.towardZero)) }), id >= 0
    else { return nil }
    self.init(
      time: time, id: id, phase: phase, x: numbers[1], y: numbers[2], pressure: numbers[3],
      size: numbers[4], millimetres: numbers[5] == 0 && numbers[6] == 0 ? nil : SIMD2(numbers[5], numbers[6]),
      hasMore: numbers[8] != 0)
  }

  /// The reading as OSC arguments of types `,iffffffii`.
  public var arguments: [OSCArgument] {
    [
      .int32(id), .float(x), .float(y), .float(pressure), .float(size), .float(millimetres?.x ?? 0),
      .float(millimetres?.y ?? 0), .int32(Int32(phase.rawValue)), .int32(hasMore ? 1 : 0),
    ]
  }

  /// The reading that cancels all fingers that are still down; it is used after a tape has ended.
  public var atRest: Touch? {
    Touch(time: time, id: Touch.everybody, phase: .cancelled, x: x, y: y)
  }

  /// The `id` of a reading that cancels all fingers.
  static let everybody: Int32 = 0
}
