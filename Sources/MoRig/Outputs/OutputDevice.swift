import CMoSystem
import Glibc
import MoRuntime
import MoSensing

/// A device that can be set to a level from 0 to 1.
///
/// - Thread: any, but one at a time.
package protocol OutputDevice: AnyObject {
  /// Sets the level.
  ///
  /// - Parameter level: 0 … 1.
  /// - Throws: `OutputError`; after an error, the device must be opened again.
  func set(_ level: Float) throws(OutputError)
}

/// The reason why an output cannot be set, and what to do.
package struct OutputError: Error, CustomStringConvertible, Equatable {
  package let description: String
  /// Whether a further attempt may succeed a second later, since udev has not given the rig access to a new device yet.
  var mayPass = false

  init(_ text: String) { description = text }

  /// - Parameters:
  ///   - path: the file that could not be written.
  ///   - error: the `errno`.
  ///   - listing: the command that lists the existing devices.
  init(_ path: String, _ error: Int32, listing: String) {
    switch error {
    case ENOENT: self.init("there is no \(path): \(listing) lists them")
    case EACCES, EPERM:
      self.init(
        "the rig has no permission to write \(path): \(ToolName.rig) --udev-rule prints a rule that gives it to the group gpio"
      )
    default: self.init("\(path) cannot be written: \(String(cString: strerror(error)))")
    }
  }
}

/// An open kernel file to which numbers are written as text, such as the brightness of a light.
final class AttributeFile {
  private let path: String
  private let listing: String
  private let file: Int32

  /// Opens a kernel file for writing.
  ///
  /// - Throws: `OutputError`.
  init(_ path: String, listing: String) throws(OutputError) {
    self.path = path
    self.listing = listing
    file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw OutputError(path, errno, listing: listing) }
  }

  deinit { close(file) }

  /// Writes a text at the start of the file.
  ///
  /// - Throws: `OutputError`.
  func write(_ text: String) throws(OutputError) {
    let bytes = Array("\(text)\n".utf8)
    // An ordinary file, such as a test's, would otherwise keep the rest of a longer number.
    guard pwrite(file, bytes, bytes.count, 0) == bytes.count else {
      throw OutputError(path, errno, listing: listing)
    }
  }

  /// Opens a kernel file, writes a text to it, and closes the file.
  ///
  /// - Throws: `OutputError`.
  static func write(_ text: String, to path: String, listing: String) throws(OutputError) {
    try AttributeFile(path, listing: listing).write(text)
  }
}

/// A light that a kernel driver controls.
///
/// - Source: the kernel's Documentation/leds/leds-class.rst and Documentation/ABI/testing/sysfs-class-led.
final class LEDOutput: OutputDevice {
  private let brightness: AttributeFile
  private let most: Double

  /// Opens a light and sets its level.
  ///
  /// - Throws: `OutputError`.
  init(_ name: String, level: Float, root: String) throws(OutputError) {
    let folder = "\(root)/sys/class/leds/\(name)"
    let listing = "ls /sys/class/leds"
    brightness = try AttributeFile("\(folder)/brightness", listing: listing)
    guard let most = SystemFiles.line(of: "\(folder)/max_brightness").flatMap({ Double($0) }), most >= 1
    else {
      throw OutputError("\(folder)/max_brightness is empty: \(listing) lists the lights")
    }
    self.most = most
    // A trigger, such as the card's activity, would also set the light.
    if let triggers = WholeFile.text(of: "\(folder)/trigger"), !triggers.contains("[none]") {
      try AttributeFile.write("none", to: "\(folder)/trigger", listing: listing)
    }
    try set(level)
  }

  func set(_ level: Float) throws(OutputError) {
    try brightness.write("\(Int((Double(level) * most).rounded()))")
  }
}

/// A PWM channel: the level is the fraction of each period for which the channel is on.
///
/// - Source: the kernel's Documentation/driver-api/pwm.rst and Documentation/ABI/testing/sysfs-class-pwm.
final class PWMOutput: OutputDevice {
  private let duty: AttributeFile
  /// The period, in nanoseconds.
  private let period: Int

  /// The command that lists the chips.
  private static let listing = "ls /sys/class/pwm"

  /// Opens a PWM channel, and sets its frequency in hertz and its level.
  ///
  /// If the channel does not exist yet, the function first lets the kernel make it.
  ///
  /// - Parameter chip: the chip's folder, such as `/sys/class/pwm/pwmchip0`.
  /// - Throws: `OutputError`; `mayPass` is true after a failure with a channel that was just made.
  static func open(
    _ chip: String, _ channel: Int, frequency: Double, level: Float
  ) throws(OutputError) -> PWMOutput {
    let folder = "\(chip)/pwm\(channel)"
    let isNew = access(folder, F_OK) != 0
    if isNew {
      if let count = SystemFiles.line(of: "\(chip)/npwm").flatMap({ Int($0) }), channel >= count {
        throw OutputError("\(chip) has no channel \(channel): its channels are 0 to \(count - 1)")
      }
      try AttributeFile.write("\(channel)", to: "\(chip)/export", listing: listing)
    }
    do throws(OutputError) {
      return try PWMOutput(folder, frequency: frequency, level: level)
    } catch {
      var error = error
      error.mayPass = isNew
      throw error
    }
  }

  private init(_ folder: String, frequency: Double, level: Float) throws(OutputError) {
    period = Int((1e9 / frequency).rounded())
    duty = try AttributeFile("\(folder)/duty_cycle", listing: Self.listing)
    // The kernel rejects a period that is shorter than the duty time. As long as no period is set, older kernels, such
    // as 6.1, reject every duty time.
    if let earlier = SystemFiles.line(of: "\(folder)/period").flatMap({ Int($0) }), earlier > 0 {
      try duty.write("0")
    }
    try AttributeFile.write("\(period)", to: "\(folder)/period", listing: Self.listing)
    try set(level)
    try AttributeFile.write("1", to: "\(folder)/enable", listing: Self.listing)
  }

  func set(_ level: Float) throws(OutputError) {
    try duty.write("\(Int((Double(level) * Double(period)).rounded()))")
  }
}

/// A line of a GPIO chip: on at levels of 0.5 and more, off below 0.5.
final class GPIOOutput: OutputDevice {
  private let line: Int32
  private let name: String

  /// Opens a line of a GPIO chip as an output, and sets its level.
  ///
  /// - Throws: `OutputError`.
  init(_ pin: GPIOPin, level: Float) throws(OutputError) {
    name = "gpio:\(pin.chip)/\(pin.line)"
    do throws(SensorError) {
      line = try pin.request(asOutput: level >= 0.5)
    } catch {
      throw OutputError("\(error)")
    }
  }

  deinit { close(line) }

  func set(_ level: Float) throws(OutputError) {
    let result = momu_gpio_set(line, level >= 0.5)
    guard result == 0 else {
      throw OutputError("\(name) cannot be set: \(String(cString: strerror(-result)))")
    }
  }
}
