import MoProgram
import MoSensors

extension SensorKind {
  /// What plays where no device is there: a simulated player, and a line that says so and how to choose.
  ///
  /// - Parameters:
  ///   - missing: what there is none of, such as `gyroscope`.
  ///   - does: what the player does, such as `turns`.
  static func standIn(
    missing: String, does: String,
    _ player: @escaping @Sendable (SensorOpening<Reading>) -> any InputSource
  ) -> @Sendable (SensorOpening<Reading>, NamedDevice?) -> OpenSource {
    { opening, forbidden in
      let why =
        forbidden.map { "There is \($0.name), which \($0.about). Until then" } ?? "No \(missing) found:"
      if !opening.run.isOffline {
        opening.run.notice(
          "\(why) a simulated player \(does). Choose with \(SensorError.typed(opening.option)) "
            + "\(SensorError.list(opening.forms)).")
      }
      return OpenSource(player(opening))
    }
  }
}
