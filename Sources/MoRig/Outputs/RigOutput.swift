import MoNetwork

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
