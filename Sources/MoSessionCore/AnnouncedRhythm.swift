import MoCore

/// The rhythm as it was announced last: what is heard follows within a bar.
///
/// Wishes count from it, so that keys pressed in quick succession all count.
public struct AnnouncedRhythm: Hashable, Sendable {
  /// Whether it runs once all that was announced holds.
  public var isPlaying = false
  /// Beats a minute, 20…999; while it does not run, those of the next start.
  public var tempo = 120.0
  /// How beats make bars; while it does not run, those of the next start.
  public var meter = Meter.common

  /// A room in which no rhythm has been started yet.
  public init() {}

  /// A rhythm from its parts.
  init(isPlaying: Bool, tempo: Double, meter: Meter) {
    (self.isPlaying, self.tempo, self.meter) = (isPlaying, tempo, meter)
  }
}
