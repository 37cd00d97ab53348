import MoRuntime
import MoSensing

/// The device of an output: `led:NAME`, `pwm:CHIP/CHANNEL` or `gpio:CHIP/LINE`.
package enum OutputName: Equatable, Sendable {
  /// A light under `/sys/class/leds`.
  case led(String)
  /// A channel of a chip under `/sys/class/pwm`, such as `pwmchip0/1`.
  case pwm(chip: String, channel: Int)
  /// A line of a GPIO chip, for relays, valves and motors.
  case gpio(GPIOPin, detail: String)

  /// Reads the name of a device in a configuration.
  ///
  /// - Throws: `RigMistake`, with the text to write instead.
  package init(_ text: String) throws(RigMistake) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    guard parts.count == 2, !parts[1].isEmpty else { throw OutputName.unknown(text) }
    switch parts[0] {
    case "led":
      // The name becomes part of a path.
      guard !parts[1].contains("/"), !parts[1].hasPrefix(".") else {
        throw RigMistake("\"\(text)\" is not a light: ls /sys/class/leds lists them, such as led:ACT")
      }
      self = .led(parts[1])
    case "pwm":
      let names = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      guard names.count == 2, names[0].hasPrefix("pwmchip"), names[0].dropFirst(7).allSatisfy(\.isNumber),
        let channel = Int(names[1]), (0...255).contains(channel)
      else {
        throw RigMistake(
          "\"\(text)\" is not a PWM channel: write the chip and the channel's number, such as pwm:pwmchip0/0")
      }
      self = .pwm(chip: String(names[0]), channel: channel)
    case "gpio":
      do throws(SensorError) {
        let pin = try GPIOPin(parts[1])
        guard pin.pull == .asIs, pin.debounce == 0 else {
          throw .other("\"\(text)\" is an output: remove pull and debounce")
        }
        self = .gpio(pin, detail: parts[1])
      } catch {
        throw RigMistake("\(error)")
      }
    default: throw OutputName.unknown(text)
    }
  }

  private static func unknown(_ text: String) -> RigMistake {
    RigMistake(
      "\"\(text)\" is not a device for an output: use led:NAME, pwm:CHIP/CHANNEL or gpio:CHIP/LINE, such as "
        + "gpio:gpiochip0/17")
  }

  /// The device's name as in a configuration, such as `led:ACT`.
  package var text: String {
    switch self {
    case .led(let name): "led:\(name)"
    case .pwm(let chip, let channel): "pwm:\(chip)/\(channel)"
    case .gpio(_, let detail): "gpio:\(detail)"
    }
  }

  /// A text that identifies the device: two outputs must not have the same device.
  var place: String {
    if case .gpio(let pin, _) = self { return "gpio:\(pin.chip)/\(pin.line)" }
    return text
  }

  /// Opens the device and sets its level.
  ///
  /// - Parameters:
  ///   - level: the first level of the device, 0 … 1.
  ///   - frequency: the frequency of the pulses of a PWM output, in hertz.
  ///   - root: the path before `/sys`; empty for this machine.
  /// - Throws: `OutputError`.
  package func open(level: Float, frequency: Double, root: String = "") throws(OutputError)
    -> any OutputDevice
  {
    switch self {
    case .led(let name): try LEDOutput(name, level: level, root: root)
    case .pwm(let chip, let channel):
      try PWMOutput.open("\(root)/sys/class/pwm/\(chip)", channel, frequency: frequency, level: level)
    case .gpio(let pin, _): try GPIOOutput(pin, level: level)
    }
  }

  /// Returns the path of the file that controls the device, whether the file exists or not; nil if a GPIO chip does not
  /// exist.
  func path(root: String = "") -> String? {
    switch self {
    case .led(let name): "\(root)/sys/class/leds/\(name)/brightness"
    case .pwm(let chip, let channel):
      SystemFiles.names(in: "\(root)/sys/class/pwm/\(chip)/pwm\(channel)").isEmpty
        ? "\(root)/sys/class/pwm/\(chip)/export" : "\(root)/sys/class/pwm/\(chip)/pwm\(channel)/duty_cycle"
    case .gpio(let pin, _): pin.path
    }
  }
}
