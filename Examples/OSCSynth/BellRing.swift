import Glibc
import MoMu

/// Eight bells, which play new notes in turn: a ninth note replaces the oldest note.
struct BellRing: Voice {
  private var bells: InlineArray<8, Bell> = .init(repeating: Bell())
  private var next = 0

  mutating func prepare(sampleRate: Double) {
    for index in bells.indices { bells[index].prepare(sampleRate: sampleRate) }
  }

  /// Starts a note on the bell whose turn it is; an earlier note of that bell ends.
  mutating func start(_ note: Note) {
    bells[next].start(note)
    next = (next + 1) % bells.count
  }

  /// Returns the next sample of all bells together, with their pitch bent by the given number of
  /// semitones.
  mutating func tick(_ semitones: Float) -> Float {
    let bend = semitones == 0 ? 1 : exp2(semitones / 12)
    var sum: Float = 0
    for index in bells.indices where !bells[index].isSilent { sum += bells[index].tick(bend: bend) }
    return sum
  }
}
