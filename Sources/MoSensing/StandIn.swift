import MoRuntime

/// A function that creates the simulated player for a sensor whose device is missing.
typealias SimulatedPlayer<Reading: SensorReading> = @Sendable (SensorOpenContext<Reading>) -> any EventSource

/// The terminal's keys as a stand-in for a device.
struct KeysStandIn<Reading: SensorReading>: Sendable {
  /// The words for the keys' effect in a text for the user, such as `the arrows turn`.
  let how: String
  /// Starts to receive keys; returns nil if there is no terminal.
  ///
  /// Until the first key, the simulated player plays.
  let open: @Sendable (SensorOpenContext<Reading>, @escaping SimulatedPlayer<Reading>) throws -> OpenSource?
}

extension SensorKind {
  /// Returns a function that opens the stand-in for a missing device: the terminal's keys or a simulated player.
  ///
  /// Except offline, the function also tells the user how to choose another source.
  ///
  /// - Parameters:
  ///   - missing: the words for the missing device in the text for the user, such as `gyroscope`.
  ///   - does: the words for the simulated player's action in that text, such as `turns`.
  ///   - keys: the terminal's keys for this sensor; nil if keys cannot play the sensor.
  static func standIn(
    missing: String, does: String, keys: KeysStandIn<Reading>? = nil,
    _ player: @escaping SimulatedPlayer<Reading>
  ) -> @Sendable (SensorOpenContext<Reading>, NamedDevice?) throws -> OpenSource {
    { opening, forbidden in
      // Offline, no user types.
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
