import MoCore
import MoMu

/// The tune that the piano plays by itself: broken chords, repeated.
struct PianoTune {
  /// The MIDI notes of four chords, from the lowest note up: C major, A minor, D minor seventh, G seventh.
  private static let chords = [
    [48, 60, 64, 67, 72], [45, 60, 64, 69, 72], [50, 57, 60, 65, 69], [43, 59, 62, 65, 71],
  ]
  private static let order = [0, 1, 2, 3, 4, 3, 2, 1]
  private static let step = Duration.milliseconds(250)

  /// The time of the next note.
  private(set) var next: HostTime
  private var count = 0

  init(start: HostTime) { next = start + PianoTune.step }

  /// Returns the MIDI note that is due at `next`, and advances the tune to the following note.
  mutating func take() -> Int {
    defer {
      count += 1
      next = next + PianoTune.step
    }
    let chord = PianoTune.chords[count / 8 % PianoTune.chords.count]
    return chord[PianoTune.order[count % 8]]
  }
}

/// A source that plays a `PianoTune` on a console's piano until the user presses a key of the console.
final class PianoDemo: EventSource {
  let name = "piano's tune"
  let descriptor: Int32? = nil
  private let desk: PianoConsole
  private var tune: PianoTune

  init(_ desk: PianoConsole, start: HostTime) {
    self.desk = desk
    tune = PianoTune(start: start)
  }

  var nextTime: HostTime? { desk.isPlayed ? nil : tune.next }

  func service(until now: HostTime) {
    while let time = nextTime, time <= now {
      desk.play(tune.take(), velocity: 0.55, for: .milliseconds(900), at: time)
    }
  }
}
