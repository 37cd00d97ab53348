import CMoSystem
import Glibc
import MoRuntime

/// A line of a GPIO chip, and its configuration: `gpiochip0/17?pull=up&active=low&debounce=5`.
///
/// The chip is named by its device, or by its label, such as `pinctrl-bcm2711/17`. The line is named by its number, or
/// by its name, such as `gpiochip0/GPIO17`.
package struct GPIOPin: Equatable, Sendable {
  package enum Pull: Int32, Sendable {
    case asIs, up, down, off
  }

  package let chip: String
  package let line: String
  /// Whether the value 1 means the low voltage of the line.
  package private(set) var isActiveLow = false
  package private(set) var pull = Pull.asIs
  /// The time for which an input must be steady before a change counts, in milliseconds, 0 … 1000; 0 for no debouncing.
  package private(set) var debounce = 0

  /// Parses the text after `gpio:` in a source, such as `gpiochip0/17?pull=up`.
  ///
  /// - Throws: `SensorError.other`, whose text says what to write.
  package init(_ detail: String) throws(SensorError) {
    let parts = detail.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else {
      throw .other(
        "\"gpio:\(detail)\" names no line: write its chip and its number, such as gpio:gpiochip0/17")
    }
    (chip, line) = (names[0], names[1])
    guard parts.count == 2 else { return }
    for setting in parts[1].split(separator: "&", omittingEmptySubsequences: false) {
      try parse(String(setting))
    }
  }

  private mutating func parse(_ setting: String) throws(SensorError) {
    switch setting {
    case "active=low": isActiveLow = true
    case "active=high": isActiveLow = false
    case "pull=up": pull = .up
    case "pull=down": pull = .down
    case "pull=off": pull = .off
    default:
      let parts = setting.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == "debounce", let time = Int(parts[1]), (0...1000).contains(time)
      else {
        throw .other(
          "unknown setting \"\(setting)\" for gpio:CHIP/LINE: use ?active=low, ?pull=up, down or off, and "
            + "?debounce= and 0 to 1000 milliseconds, with & between two of them")
      }
      debounce = time
    }
  }

  /// The chips of this machine, by their device names, such as `gpiochip0`.
  package static var chips: [String] { SystemFiles.names(in: "/dev").filter { $0.hasPrefix("gpiochip") } }

  /// The path of the chip's device, such as `/dev/gpiochip0`; nil if no chip of this machine has the name or label
  /// `chip`.
  package var path: String? {
    if GPIOPin.chips.contains(chip) { return "/dev/\(chip)" }
    return GPIOPin.chips.lazy.map { "/dev/\($0)" }.first { path in
      let file = open(path, O_RDWR | O_CLOEXEC)
      guard file >= 0 else { return false }
      defer { close(file) }
      return GPIOPin.chip(file)?.label == chip
    }
  }

  /// Returns the number of lines of an open chip, and its label; nil if it is not a GPIO chip.
  private static func chip(_ file: Int32) -> (lines: UInt32, label: String)? {
    var label = [CChar](repeating: 0, count: 32)
    let lines = momu_gpio_chip(file, &label)
    guard lines >= 0 else { return nil }
    return (UInt32(lines), text(label))
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Requests the line from the kernel.
  ///
  /// - Parameter output: the first value of an output; nil for an input, whose changes the kernel reports.
  /// - Returns: the line's descriptor, which the caller closes.
  /// - Throws: `SensorError`.
  package func request(asOutput output: Bool? = nil) throws(SensorError) -> Int32 {
    guard let path else {
      throw .noDevice(path: "gpio:\(chip)", advice: "ls /dev/gpiochip* lists the chips")
    }
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else {
      throw errno == EACCES
        ? .noPermission(path: path)
        : .noDevice(path: path, advice: "ls /dev/gpiochip* lists the chips")
    }
    defer { close(file) }
    guard let (lines, _) = GPIOPin.chip(file) else {
      throw .wrongDevice(path: path, noun: "a GPIO chip", advice: "ls /dev/gpiochip* lists the chips")
    }
    guard let number = number(in: file, lines) else {
      throw .other(
        "\(path) has no line \(line): its lines are 0 to \(lines - 1), and gpioinfo shows their names")
    }
    let setup = momu_gpio_setup(
      is_output: output != nil, is_active_low: isActiveLow, pull: pull.rawValue,
      debounce_us: UInt32(debounce) * 1000, value: output ?? false)
    let descriptor = momu_gpio_open(file, number, setup)
    guard descriptor >= 0 else { throw refusal(-descriptor, path) }
    return descriptor
  }

  private func number(in file: Int32, _ lines: UInt32) -> UInt32? {
    if let number = UInt32(line) { return number < lines ? number : nil }
    return (0..<lines).first { number in
      var name = [CChar](repeating: 0, count: 32)
      var isUsed = false
      return momu_gpio_line(file, number, &name, &isUsed) == 0 && GPIOPin.text(name) == line
    }
  }

  private func refusal(_ error: Int32, _ path: String) -> SensorError {
    switch error {
    case EBUSY:
      .other("line \(line) of \(path) is used by another program or driver: gpioinfo shows which")
    case ENXIO, EOPNOTSUPP:
      .other(
        "line \(line) of \(path) cannot be used with these settings: its chip reports no changes, or has no pull resistors"
      )
    default: .other("line \(line) of \(path) cannot be used: \(String(cString: strerror(error)))")
    }
  }
}
