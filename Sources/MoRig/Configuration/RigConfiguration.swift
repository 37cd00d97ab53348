/// What a rig does: which sensors it reads, and where it sends them.
package struct RigConfiguration: Equatable, Sendable {
  /// What the rig calls itself in its statistics; nil for the machine's name.
  package var name: String?
  /// Seconds between two statistics; 0 for none.
  package var statistics = 10.0
  /// Where statistics go, and every stream that names no target of its own.
  package var targets: [String] = []
  /// Whether receivers are asked how much has arrived.
  package var confirms = false
  package var streams: [RigStream] = []
  /// The UDP port on which messages for outputs come in; nil for none.
  package var port: Int?
  package var outputs: [RigOutput] = []

  /// Whether there is nothing to do.
  package var isEmpty: Bool { streams.isEmpty && outputs.isEmpty }
}

/// One sensor on its way.
package struct RigStream: Equatable, Sendable {
  package var kind: RigKind
  /// What distinguishes it from another of its kind.
  package var name: String?
  /// As the sensor's option names it; nil for the best device that is there.
  package var source: String?
  /// Of a sensor with many values, the one that is meant; nil for all.
  package var channel: String?
  /// The OSC address it is sent to.
  package var address: String
  package var targets: [String] = []
  var wishes = StreamRules.Wishes()
  /// What is done to each value before the rules see it.
  var conversion = Conversion()
  /// What the values are sent in, for people who read the statistics.
  var unit: String?
  /// Whether each message goes with the moment of its measurement, as a bundle.
  package var isStamped = false
  /// Whether it says itself where it goes, rightly or not.
  var namesTargets = false
  /// Where it stands in the configuration.
  package var line = 0

  /// The same wherever it stands: what a new configuration must change for it to begin anew.
  var plan: RigStream {
    var plan = self
    plan.line = 0
    plan.namesTargets = false
    return plan
  }

  /// As it stands in the configuration, without brackets.
  package var title: String { kind.rawValue + (name.map { " \($0)" } ?? "") }
}

/// The sensors that a rig can read.
package enum RigKind: String, CaseIterable, Sendable {
  case accel, gyro, magnet, orientation, compass, location, touch, buttons, sensor, text, host

  /// Whether one reading is like the next, so that some can be left out and others made of several.
  var isContinuous: Bool { self != .touch && self != .buttons && self != .location && self != .text }

  /// Whether it is a device by itself; the others are put together of such, asked of gpsd, or the machine.
  var isDevice: Bool { self != .orientation && self != .compass && self != .location && self != .host }

  /// Whether its readings are single values with names.
  var hasChannels: Bool { self == .sensor || self == .host }

  /// Whether its values are numbers of which means can be made: those of a turn go round.
  var canBeSmoothed: Bool { isContinuous && self != .orientation && self != .compass }
}
