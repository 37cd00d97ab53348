import MoOSC

/// The content of a phone's OSC message about its acceleration.
struct PhoneMessage: Equatable, Sendable {
  /// The measured quantity.
  enum Part: Hashable, Sendable {
    /// The whole acceleration: movement and gravity.
    case whole
    /// Gravity alone.
    case gravity
    /// Movement alone.
    case movement
  }

  /// The kind of content.
  enum Content: Equatable, Sendable {
    /// All three axes, in the app's own unit.
    case vector(Part, SIMD3<Float>)
    /// The value of a single axis, 0 (x) … 2 (z), in the app's own unit.
    case axis(Part, Int, Float)
    /// The phone's system, such as `ios`.
    case system(String)
    /// The message comes from one of the apps, but its values cannot be a reading.
    case unusable
  }

  let layout: PhoneLayout
  /// The name that the app gives to the phone; empty if the app sends no name.
  let device: String
  let content: Content

  /// The largest magnitude of a valid value, 32 g in m/s²: no phone's sensor measures more.
  private static let limit: Float = 32 * PhoneLayout.metresPerG

  /// Recognises a message by its address; nil if it comes from none of the apps.
  init?(_ message: OSCMessage) {
    let names = message.address.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
    guard names.count >= 2, names[0].isEmpty else { return nil }
    let numbers = message.arguments.compactMap(\.number).map { Float($0) }
    // No value is skipped: a text between two numbers makes the reading invalid.
    let vector = numbers.count == 3 && message.arguments.count == 3 ? SIMD3(numbers) : nil
    switch (names.count, names[1], names.last ?? "") {
    case (2, "accxyz", _):
      // All zeros mean that there is no sensor; not even free fall is that exact.
      self.init(.touchOSC, vector.flatMap { $0 == .zero ? nil : $0 }, .whole)
    case (2, "accelerometer", _): self.init(.sensors2OSC, vector, .whole)
    case (2, "gravity", _): self.init(.sensors2OSC, vector, .gravity)
    case (2, "linearacceleration", _): self.init(.sensors2OSC, vector, .movement)
    case (3, "accelerometer", let axis): self.init(axis, message, .whole)
    case (3, "gravity", let axis): self.init(axis, message, .gravity)
    case (3, "linearacceleration", let axis): self.init(axis, message, .movement)
    case (3, "momu", "accel"): self.init(.momu, vector, .whole)
    case (4, "ZIGSIM", "accel"): self.init(.zigSim, vector, .movement, device: String(names[2]))
    case (4, "ZIGSIM", "gravity"): self.init(.zigSim, vector, .gravity, device: String(names[2]))
    case (3, let device, "deviceinfo"):
      guard message.arguments.count >= 3, let system = message.arguments[2].text else { return nil }
      self = PhoneMessage(layout: .zigSim, device: String(device), content: .system(system.lowercased()))
    // Without ZIG SIM's own name in front, a message must have the values of a ZIG SIM message.
    case (3, let device, "accel") where vector != nil:
      self.init(.zigSim, vector, .movement, device: String(device))
    case (3, let device, "gravity") where vector != nil:
      self.init(.zigSim, vector, .gravity, device: String(device))
    default: return nil
    }
  }

  private init(layout: PhoneLayout, device: String, content: Content) {
    (self.layout, self.device, self.content) = (layout, device, content)
  }

  private init(_ layout: PhoneLayout, _ vector: SIMD3<Float>?, _ part: Part, device: String = "") {
    self.layout = layout
    self.device = device
    let isUsable = vector.map { vector in (0..<3).allSatisfy { abs(vector[$0]) <= PhoneMessage.limit } }
    // A comparison with NaN is false, so NaN is not usable either.
    content = if let vector, isUsable == true { .vector(part, vector) } else { .unusable }
  }

  /// Reads the old form of Sensors2OSC: one axis per message.
  private init?(_ axis: Substring, _ message: OSCMessage, _ part: Part) {
    guard let index = ["X", "Y", "Z"].firstIndex(of: String(axis)) else { return nil }
    layout = .sensors2OSC
    device = ""
    let number = message.arguments.count == 1 ? message.arguments[0].number.map { Float($0) } : nil
    content =
      if let number, abs(number) <= PhoneMessage.limit { .axis(part, index, number) } else { .unusable }
  }
}
