import MoSensing

/// The configuration of a rig: its sensors, the targets of their messages, and its outputs.
package struct RigConfiguration: Equatable, Sendable {
  /// The rig's name in its statistics; nil for the machine's name.
  package var name: String?
  /// The interval at which the rig sends its statistics, in seconds; 0 for never.
  package var statistics = 10.0
  /// The targets of the statistics, and of every stream that names no target of its own.
  package var targets: [String] = []
  /// Whether the rig asks receivers how many messages have arrived.
  package var confirms = false
  package var streams: [RigStream] = []
  /// The UDP port that receives messages for outputs; nil for none.
  package var port: Int?
  package var outputs: [RigOutput] = []
  /// The MIDI channel of all messages to MIDI ports, 1…16.
  var midiChannel = 1

  /// Whether the configuration has neither sensors nor outputs.
  package var isEmpty: Bool { streams.isEmpty && outputs.isEmpty }
}

/// A sensor of a configuration, with the targets and rules of its messages.
package struct RigStream: Equatable, Sendable {
  package var kind: AnySensorKind
  /// The name that distinguishes the sensor from others of its kind, such as `left` in `[accel left]`; nil for none.
  package var name: String?
  /// The device or other source, as the sensor's option names it; nil for the best device that is there.
  package var source: String?
  /// The channel to send, if a sensor has many values; nil for all.
  package var channel: String?
  /// The OSC address of the sensor's messages.
  package var address: String
  package var targets: [String] = []
  package var ruleSettings = StreamRules.Settings()
  /// The conversion of each value, before the rules apply.
  var conversion = Conversion()
  /// The unit of the values that are sent, such as `mm`: a text for people who read the summary; nil for none.
  var unit: String?
  /// The MIDI controllers or keys that the sensor's values move: the first for the first value of a reading, and so on.
  var midi: [RigMIDIPlace] = []
  /// Whether each message is sent in an OSC bundle whose time tag is the time of the measurement.
  package var isStamped = false
  /// Whether the setting `to` stands under the sensor's heading, even if its targets are not valid.
  var namesTargets = false
  /// The number of the line with the sensor's heading in the configuration, from 1.
  package var line = 0

  package init(
    kind: AnySensorKind, name: String? = nil, source: String? = nil, channel: String? = nil, address: String,
    targets: [String] = [], ruleSettings: StreamRules.Settings = StreamRules.Settings(),
    conversion: Conversion = Conversion(), unit: String? = nil, midi: [RigMIDIPlace] = [],
    isStamped: Bool = false, namesTargets: Bool = false, line: Int = 0
  ) {
    (
      self.kind, self.name, self.source, self.channel, self.address, self.targets, self.ruleSettings,
      self.conversion, self.unit, self.midi, self.isStamped, self.namesTargets, self.line
    ) = (
      kind, name, source, channel, address, targets, ruleSettings, conversion, unit, midi, isStamped,
      namesTargets,
      line
    )
  }

  /// The settings that decide whether the stream must restart: all but its line in the file and `namesTargets`.
  ///
  /// If `plan` is the same in a new configuration, the stream continues.
  var plan: RigStream {
    var plan = self
    plan.line = 0
    plan.namesTargets = false
    return plan
  }

  /// The text of the sensor's heading, without brackets, such as `accel left`.
  package var title: String { kind.name + (name.map { " \($0)" } ?? "") }
}

/// Converts a sensor's values for sending: multiplies by a scale, adds an offset, clamps to a range.
package struct Conversion: Equatable, Sendable {
  var scale = 1.0
  var offset = 0.0
  /// The range to which values are clamped.
  var range: ClosedRange<Double>?

  var isNeeded: Bool { self != Conversion() }

  /// Returns the converted value; NaN and infinity are not clamped.
  func callAsFunction(_ value: Float) -> Float {
    let converted = Double(value) * scale + offset
    guard let range, converted.isFinite else { return Float(converted) }
    return Float(min(max(converted, range.lowerBound), range.upperBound))
  }
}

/// An example of a configuration.
package enum RigExample {
  package static let text = """
    # What this rig reads, and where it sends it (momu rig). One setting a line.

    [rig]
    name = kitchen
    to = 192.168.0.7:9000      # several with commas; name.local:9000, broadcast:9000
    statistics = 10            # seconds between two /momu/rig and /momu/rig/sensor; 0 for none

    [accel]                    # the best accelerometer there is, to /momu/accel, in g
    rate = 50                  # messages a second at most
    dead-band = 0.02           # a value must change by more than that
    smooth = 0.1               # seconds in which a step is followed
    repeat = 10                # seconds after which an unchanged value is sent again

    [sensor light]             # momu devices names sources
    source = iio:als
    channel = illuminance
    address = /kitchen/light
    to = broadcast:6449
    rate = 2

    [buttons]
    stamped = yes              # with the moment at which it was measured, as a bundle

    """
}
