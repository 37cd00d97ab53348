import MoCore
import MoOSC
import MoSensing

/// A message of floats.
func message(_ address: String, _ values: Float...) -> OSCMessage {
  OSCMessage(address, values.map { .float($0) })
}

/// Returns the readings of a single phone that sends these messages, a hundredth of a second apart.
func read(_ messages: [OSCMessage], host: String = "192.168.0.23") -> [SIMD3<Float>] {
  var choice = PhoneSelector()
  return messages.enumerated().compactMap { index, message in
    choice.decode(message, from: host, at: HostTime(seconds: Double(index) / 100))
  }
}

/// Returns whether two readings are the same except for rounding and a sensor's noise.
func isNear(_ one: SIMD3<Float>?, _ other: SIMD3<Float>, by tolerance: Float = 1e-5) -> Bool {
  one.map { ($0 - other).length <= tolerance } ?? false
}

/// A choice of phones that `#expect` can call.
final class Listener {
  private var choice = PhoneSelector()

  var counts: PhoneSelector.Counts { choice.counts }
  var phone: PhoneName? { choice.phone }
  var nextTime: HostTime? { choice.nextTime }

  func decode(_ message: OSCMessage, from host: String, at now: HostTime) -> SIMD3<Float>? {
    choice.decode(message, from: host, at: now)
  }

  func advance(to now: HostTime) { choice.advance(to: now) }
  func popReports() -> [PhoneSelector.Report] { choice.popReports() }
}
