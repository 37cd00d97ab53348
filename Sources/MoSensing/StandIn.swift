import MoRuntime

/// What plays where no device is there, from its opening.
typealias SimulatedPlayer<Reading: SensorReading> = @Sendable (SensorOpenContext<Reading>) -> any EventSource

/// The terminal's keys in a device's place.
struct KeysStandIn<Reading: SensorReading>: Sendable {
  /// What they do, such as `the arrows turn`.
  let how: String
  /// Begins to take them, the player playing until the first; nil where there is no terminal.
  let open: @Sendable (SensorOpenContext<Reading>, @escaping SimulatedPlayer<Reading>) throws -> OpenSource?
}

extension SensorKind {
  /// What plays where no device is there: keys or a simulated player, and a line that says so and how to choose.
  ///
  /// - Parameters:
  ///   - missing: what there is none of, such as `gyroscope`.
  ///   - does: what the player does, such as `turns`.
  ///   - keys: nil for a sensor that no keys can play.
  static func standIn(
    missing: String, does: String, keys: KeysStandIn<Reading>? = nil,
    _ player: @escaping SimulatedPlayer<Reading>
  ) -> @Sendable (SensorOpenContext<Reading>, NamedDevice?) throws -> OpenSource {
    { opening, forbidden in
      // In counted time nobody types.
      guard !opening.run.isOffline else { return OpenSource(player(opening)) }
      let keyed = try keys?.open(opening, player)
      let why =
        forbidden.map { "There is \($0.name), which \($0.about). Until then" } ?? "No \(missing) found:"
      let how = keyed == nil ? "" : keys.map { "\($0.how); until the first key " } ?? ""
      opening.run.notice(
        "\(why) \(how)a simulated player \(does). Choose with \(SensorError.typed(opening.option)) "
          + "\(SensorError.list(opening.forms)).")
      return keyed ?? OpenSource(player(opening))
    }
  }
}
