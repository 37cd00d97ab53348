import MoNetwork

/// One output of a rig, such as a lamp, a motor or a relay, which OSC messages set.
package struct RigOutput: Equatable, Sendable {
  /// What distinguishes it from the others.
  package var name: String
  /// What is driven; nil until the configuration says so.
  package var device: OutputName?
  /// The OSC address that sets it.
  package var address: String
  /// What is done to a message's number; what then lies outside 0 … 1 becomes the nearer end.
  var conversion = Conversion()
  /// Changes a second at most.
  var rate = 20.0
  /// What it is set to at the start, at the end, and when contact is lost, 0 … 1.
  var safe: Float = 0
  /// Seconds without a message after which contact is lost; 0 for never.
  var timeout = 10.0
  /// Pulses a second of a PWM output.
  var frequency = 1000.0
  /// The machines whose messages set it; empty for all.
  var senders: [NetAddress] = []
  /// Where it stands in the configuration.
  package var line = 0

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
    address = "/momu/output" + (name.isEmpty ? "" : "/\(name)")
  }

  /// As its heading names it, without brackets.
  package var title: String { "output" + (name.isEmpty ? "" : " \(name)") }

  /// The same wherever it stands: what a new configuration must change for it to begin anew.
  var plan: RigOutput {
    var plan = self
    plan.line = 0
    return plan
  }

  /// The level for a number of a message, 0 … 1; nil for NaN and infinity.
  func level(_ number: Double) -> Float? {
    let value = conversion(Float(number))
    return value.isFinite ? min(max(value, 0), 1) : nil
  }

  /// Which device it drives and what sets it, in a line.
  package var summary: String { "[\(title)] \(address) -> \(device?.text ?? "nothing")" }
}
