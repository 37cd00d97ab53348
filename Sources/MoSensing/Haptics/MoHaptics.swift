import CMoSystem
import Glibc
import MoCore
import MoRuntime

/// Rumble: the vibration of a game pad.
///
/// ```swift
/// try MoButtons.on("BTN_SOUTH") { isPressed in if isPressed { MoHaptics.rumble(strong: 0.8, seconds: 0.1) } }
/// ```
///
/// By default, the first device that can rumble is used; without such a device, calls do nothing and report no error.
/// A pad that was unplugged is found again at the next rumble.
///
/// - Thread: any but the audio callback.
public enum MoHaptics {
  private static let server = RumbleServer()

  /// Chooses the device that rumbles.
  ///
  /// - Parameter source: `evdev:PATH` or `evdev:NAME`; nil for the first device that can rumble.
  /// - Throws: `SensorError` if the device does not exist, may not be written to, or cannot rumble.
  public static func start(source: String? = nil) throws { try server.start(source) }

  /// Stops the rumble and closes the device.
  ///
  /// The next `rumble` uses the first device that can rumble, also if `start` chose another device.
  public static func stop() { server.stop() }

  /// The device that rumbles, in the form that `start` accepts; nil if there is none.
  public static var source: String? { server.source }

  /// Makes the device rumble, in place of its present rumble.
  ///
  /// - Parameters:
  ///   - strong: the strength of the heavy motor, 0 … 1; clamped.
  ///   - weak: the strength of the light motor, 0 … 1; clamped.
  ///   - seconds: the length of the rumble, clamped to 0 … 32.767; NaN counts as 0. The rumble ends by itself.
  /// - Returns: whether there is a device that rumbles.
  /// - Real-time safe: no; it may wait for milliseconds on a cable or a radio link.
  @discardableResult
  public static func rumble(strong: Double = 0, weak: Double = 0, seconds: Double) -> Bool {
    server.rumble(strong: strong, weak: weak, seconds: seconds)
  }

  /// The devices of this machine that can rumble, in the form that `start` accepts.
  public static var devices: [String] { RumbleDevice.all().map { "evdev:\($0.path)" } }
}

/// The implementation of `MoHaptics`.
final class RumbleServer: Sendable {
  private struct State {
    var device: RumbleDevice?
    /// The source by which a missing device is found again; nil for the first device that can rumble.
    var wanted: String?
  }

  private let state = Locked(State())

  var source: String? { state.withLock { $0.device.map { "evdev:\($0.path)" } } }

  func start(_ source: String?) throws {
    let device = try RumbleServer.open(source)
    state.withLock { $0 = State(device: device, wanted: source) }
  }

  func stop() { state.withLock { $0 = State() } }

  func rumble(strong: Double, weak: Double, seconds: Double) -> Bool {
    state.withLock { state in
      if let device = state.device, device.rumble(strong, weak, seconds) { return true }
      // The device is not there yet, or no longer: perhaps another is.
      state.device = try? RumbleServer.open(state.wanted)
      return state.device?.rumble(strong, weak, seconds) ?? false
    }
  }

  private static func open(_ source: String?) throws(SensorError) -> RumbleDevice? {
    guard let source else { return RumbleDevice.all().first }
    guard source.hasPrefix("evdev:"), source.count > 6 else {
      throw .unknownSource(source, option: "MoHaptics", known: ["evdev:PATH"])
    }
    return try RumbleDevice(path: EvdevList.path(of: String(source.dropFirst(6))))
  }
}

/// A device that can rumble.
final class RumbleDevice: @unchecked Sendable {
  // Unchecked: its server uses it under a lock.
  let path: String
  private let file: Int32
  private var effect: Int32 = -1

  /// - Throws: `SensorError` if the device does not exist, may not be written to, or cannot rumble.
  init(path: String) throws(SensorError) {
    let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let there = RumbleDevice.all().map { "evdev:\($0.path)" }
    let advice = there.isEmpty ? "there is none here now" : "use " + SensorError.list(there)
    guard file >= 0 else {
      throw errno == EACCES || errno == EPERM
        ? .noPermission(path: path) : .noDevice(path: path, advice: advice)
    }
    guard momu_can_rumble(file) else {
      close(file)
      throw .wrongDevice(path: path, noun: "a device that can rumble", advice: advice)
    }
    self.path = path
    self.file = file
  }

  /// Creates the object for a device that is already open.
  private init(path: String, file: Int32) { (self.path, self.file) = (path, file) }

  /// Closes the device; the kernel removes its effects then.
  deinit { close(file) }

  /// Returns the devices that can rumble and that may be written to.
  static func all() -> [RumbleDevice] {
    SystemFiles.names(in: EvdevList.folder).filter { $0.hasPrefix("event") }.compactMap { name in
      let path = "\(EvdevList.folder)/\(name)"
      let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { return nil }
      guard momu_can_rumble(file) else {
        close(file)
        return nil
      }
      return RumbleDevice(path: path, file: file)
    }
  }

  /// Starts a rumble with strengths of 0 … 1 for the heavy and the light motor; returns false if the device is gone.
  func rumble(_ strong: Double, _ weak: Double, _ seconds: Double) -> Bool {
    func part(_ value: Double) -> UInt16 {
      UInt16((min(max(value.isNaN ? 0 : value, 0), 1) * 65_535).rounded())
    }
    // The kernel's maximum is 0x7FFF ms.
    let length = UInt16((min(max(seconds.isNaN ? 0 : seconds, 0), 32.767) * 1000).rounded())
    let number = momu_rumble_upload(file, effect, part(strong), part(weak), length)
    guard number >= 0 else { return false }
    effect = number
    return momu_rumble_play(file, number, true) == 0
  }
}
