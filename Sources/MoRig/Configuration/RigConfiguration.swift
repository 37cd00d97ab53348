/// What a rig does: which sensors it reads, and where it sends them.
package struct RigConfiguration: Equatable, Sendable {
  /// What the rig calls itself in its statistics; nil for the machine's name.
  package var name: String?
  /// Seconds between two statistics; 0 for none.
  package var statistics = 10.0
  /// Where statistics go, and every stream that names no target of its own.
  package var targets: [String] = []
  package var streams: [RigStream] = []
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
  /// Whether each message goes with the moment of its measurement, as a bundle.
  package var isStamped = false
  /// Where it stands in the configuration.
  package var line = 0

  /// As it stands in the configuration, without brackets.
  package var title: String { kind.rawValue + (name.map { " \($0)" } ?? "") }
}

/// The sensors that a rig can read.
package enum RigKind: String, CaseIterable, Sendable {
  case accel, gyro, magnet, orientation, compass, location, touch, buttons, sensor

  /// Whether one reading is like the next, so that some can be left out and others made of several.
  var isContinuous: Bool { self != .touch && self != .buttons && self != .location }

  /// Whether its values are numbers of which means can be made: those of a turn go round.
  var canBeSmoothed: Bool { isContinuous && self != .orientation && self != .compass }
}
