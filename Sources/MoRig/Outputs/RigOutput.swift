import Glibc
import MoNetwork
import MoRuntime

/// One output of a rig, such as a lamp, a motor or a relay, which OSC messages set.
package struct RigOutput: Equatable, Sendable {
  /// The name that distinguishes the output from the others, such as `left` in `[output left]`; empty for none.
  package var name: String
  /// The device to set; nil until the configuration names it.
  package var device: OutputName?
  /// The OSC address that sets the output.
  package var address: String
  /// The conversion of a message's number; the result is then clamped to 0 … 1.
  var conversion = Conversion()
  /// The largest number of changes of the output per second.
  var rate = 20.0
  /// The output's value at the start, at the end, and when contact is lost, 0 … 1.
  var safe: Float = 0
  /// Seconds without a message after which contact is lost; 0 for never.
  var timeout = 10.0
  /// The frequency of the pulses of a PWM output, in hertz.
  var frequency = 1000.0
  /// The machines that may set the output; empty for all.
  var senders: [NetAddress] = []
  /// The number of the line with the output's heading in the configuration, from 1.
  package var line = 0

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
    address = "/momu/output" + (name.isEmpty ? "" : "/\(name)")
  }

  /// The text of the output's heading, without brackets, such as `output left`.
  package var title: String { "output" + (name.isEmpty ? "" : " \(name)") }

  /// The settings that decide whether the output must restart: all but its line in the file.
  ///
  /// If `plan` is the same in a new configuration, the output continues.
  var plan: RigOutput {
    var plan = self
    plan.line = 0
    return plan
  }

  /// Returns the level for the number of a message, 0 … 1; nil for NaN and infinity.
  func level(_ number: Double) -> Float? {
    let value = conversion(Float(number))
    return value.isFinite ? min(max(value, 0), 1) : nil
  }

  /// The output's device and OSC address, in a line.
  package var summary: String { "[\(title)] \(address) -> \(device?.text ?? "nothing")" }
}

extension RigOutput {
  /// The settings that may stand under the heading of an output.
  package static let settings: [RigSetting<RigOutput>] = [
    RigSetting("device") { output, value throws(RigMistake) in output.device = try OutputName(value) },
    RigSetting("address") { output, value throws(RigMistake) in
      try RigValue.checkAddress(value)
      output.address = value
    },
    .number("scale", -1e9...1e9, "a factor", such: "0.00787") {
      $0.conversion.scale = $1
    },
    .number("offset", -1e9...1e9, "added after scale", such: "0.5") { $0.conversion.offset = $1 },
    RigSetting("range") { output, value throws(RigMistake) in
      let range = try RigValue.range(value)
      guard range.lowerBound >= 0, range.upperBound <= 1 else {
        throw RigMistake(
          "\"\(value)\" is outside 0..1, the values of an output: write such as range = 0..0.8")
      }
      output.conversion.range = range
    },
    .number("rate", 0.1...1000, "changes a second", such: "20") { $0.rate = $1 },
    .number("safe", 0...1, "0 is off, 1 is on", such: "0") { $0.safe = Float($1) },
    .number("timeout", 0...86_400, "seconds", such: "10, or 0 for never") { $0.timeout = $1 },
    .number("frequency", 1...100_000, "pulses a second of a PWM output", such: "1000") { $0.frequency = $1 },
    RigSetting("from") { output, value throws(RigMistake) in
      output.senders = try RigOutput.addresses(value)
    },
  ]

  private static func addresses(_ text: String) throws(RigMistake) -> [NetAddress] {
    var found: [NetAddress] = []
    for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      guard let address = NetAddress(ip: String(word), port: 0) else {
        throw RigMistake("\"\(word)\" is not a machine's address: write numbers, such as from = 192.168.0.7")
      }
      found.append(address)
    }
    guard !found.isEmpty else { throw RigMistake("from is empty: write from = 192.168.0.7") }
    return found
  }

  /// Returns why the device cannot be set now, and whether the device exists but permission is missing; nil if it can
  /// be set.
  func waitReason(as access: RigAccess) -> (text: String, isForbidden: Bool)? {
    guard let device else { return nil }
    guard let path = device.path(), SystemFiles.real(path) != nil else {
      return (
        "there is no \(device.text) here: ls /sys/class/leds /sys/class/pwm /dev/gpiochip* lists the devices",
        false
      )
    }
    guard let reason = access.problem(with: path, mode: W_OK) else { return nil }
    return ("\(path): \(reason)", true)
  }
}
