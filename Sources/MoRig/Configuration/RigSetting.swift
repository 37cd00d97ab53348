import MoNetwork
import MoProgram
import MoSensors

/// One thing that a configuration can say: its name, and what it does with the value.
struct RigSetting: Sendable {
  /// Whether a value could be read.
  struct Outcome {
    /// What is wrong, and what to write.
    var reason: String?
    static let fine = Outcome()
    init(_ reason: String? = nil) { self.reason = reason }
  }

  let name: String
  var setRig: @Sendable (inout RigConfiguration, String) -> Outcome = { _, _ in .fine }
  var setStream: @Sendable (inout RigStream, String) -> Outcome = { _, _ in .fine }

  /// Under `[rig]`.
  static let ofRig = [
    RigSetting(
      name: "name",
      setRig: { rig, value in
        guard isWord(value) else {
          return Outcome("\"\(value)\" is no name: use one word of letters, digits, - and _, such as kitchen")
        }
        rig.name = value
        return .fine
      }),
    RigSetting(name: "to", setRig: { rig, value in targets(value) { rig.targets = $0 } }),
    RigSetting(
      name: "statistics",
      setRig: { rig, value in
        number("statistics", value, 0...86_400, "seconds", such: "10, or 0 for none") { rig.statistics = $0 }
      }),
  ]

  /// Under a sensor.
  static let ofStream = [
    RigSetting(
      name: "source",
      setStream: { stream, value in
        stream.source = value
        do throws(SensorError) {
          try stream.kind.check(value)
        } catch {
          return Outcome(error.description)
        }
        return .fine
      }),
    RigSetting(
      name: "channel",
      setStream: { stream, value in
        guard !value.isEmpty else {
          return Outcome("channel names nothing: write one of the sensor's, such as illuminance or knob")
        }
        stream.channel = value
        return .fine
      }),
    RigSetting(name: "to", setStream: { stream, value in targets(value) { stream.targets = $0 } }),
    RigSetting(
      name: "address",
      setStream: { stream, value in
        guard isAddress(value) else {
          return Outcome("\"\(value)\" is no OSC address: it begins with / and has no spaces, such as /tilt")
        }
        stream.address = value
        return .fine
      }),
    RigSetting(
      name: "rate",
      setStream: { stream, value in
        number("rate", value, 0.001...1000, "messages a second", such: "50") { stream.wishes.rate = $0 }
      }),
    RigSetting(
      name: "dead-band",
      setStream: { stream, value in
        number("dead-band", value, 0...1e9, "the sensor's unit", such: "0.02") { stream.wishes.deadBand = $0 }
      }),
    RigSetting(
      name: "smooth",
      setStream: { stream, value in
        number("smooth", value, 0.001...60, "seconds", such: "0.1") { stream.wishes.smooth = $0 }
      }),
    RigSetting(
      name: "repeat",
      setStream: { stream, value in
        number("repeat", value, 0.1...86_400, "seconds", such: "10") { stream.wishes.again = $0 }
      }),
    RigSetting(
      name: "stamped",
      setStream: { stream, value in
        switch value.lowercased() {
        case "yes": stream.isStamped = true
        case "no": stream.isStamped = false
        default: return Outcome("\"\(value)\" is neither: write stamped = yes or stamped = no")
        }
        return .fine
      }),
  ]

  /// Whether a text can be part of an OSC address.
  static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
      }
  }

  /// - Source: OSC 1.0, *OSC Address Spaces and OSC Addresses*: printable ASCII but for these.
  private static func isAddress(_ text: String) -> Bool {
    text.utf8.count > 1 && text.utf8.first == 0x2F
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !" #*,?[]{}".utf8.contains($0) }
  }

  private static func targets(_ text: String, _ use: ([String]) -> Void) -> Outcome {
    let targets = text.split { $0 == "," || $0.isWhitespace }.map { String($0) }
    guard !targets.isEmpty else { return Outcome("to names nobody: write to = 192.168.0.7:9000") }
    // Wrong or not, it was said: that there is none is no second mistake.
    use(targets)
    for target in targets {
      do throws(NetError) { try MoNet.check(target) } catch { return Outcome(error.description) }
    }
    return .fine
  }

  private static func number(
    _ name: String, _ text: String, _ range: ClosedRange<Double>, _ unit: String, such: String,
    _ use: (Double) -> Void
  ) -> Outcome {
    guard let number = Double(text), range.contains(number) else {
      return Outcome("\"\(text)\" is no \(name): write a number (\(unit)), such as \(name) = \(such)")
    }
    use(number)
    return .fine
  }
}
