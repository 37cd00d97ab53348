import MoCore

/// A recorder of notes: it receives the beginning and end of each note as beats, and returns all notes as a `Melody`.
///
/// ```swift
/// var recorder = MelodyRecorder(beats: 8, from: 16)
/// recorder.noteOn(60, velocity: 0.8, beat: 16.02)
/// recorder.noteOff(60, beat: 16.5)
/// let melody = recorder.melody(quantised: Quantiser())
/// ```
///
/// - Thread: one owner.
/// - Real-time safe: yes.
public struct MelodyRecorder: Sendable {
  private var taken: Melody
  private let start: Double
  private var held: InlineArray<16, Held?> = .init(repeating: nil)

  private struct Held: Sendable {
    var pitch: Float
    var velocity: Float
    var id: Int32?
    var beat: Double
  }

  /// Creates a recorder for a given number of beats, from the beat `start` on.
  ///
  /// If notes are played after these beats, the recorder adds them to the melody, again from the melody's beginning
  /// (overdub).
  ///
  /// - Parameters:
  ///   - beats: the length of the melody in beats, clamped to 0.25 … 256; NaN counts as 4.
  ///   - start: the beat at which the melody begins.
  public init(beats: Float, from start: Double) {
    taken = Melody(beats: beats)
    self.start = start
  }

  /// The number of recorded notes, including notes that are still held.
  public var count: Int {
    var count = taken.count
    for index in held.indices where held[index] != nil { count += 1 }
    return count
  }

  /// Adds the beginning of a note to the recording; a held note of the same pitch ends.
  ///
  /// If sixteen notes are already held, a further note is ignored. A note that begins up to 0.1 beats before `start` is
  /// moved to `start`; an earlier note is ignored.
  ///
  /// - Parameters:
  ///   - pitch: a MIDI note number, 0…127; fractions are allowed.
  ///   - velocity: 0…1; 0 is ignored.
  ///   - id: identifies the note for `noteOff` (default: the pitch identifies it).
  ///   - beat: the beat on which the note begins.
  public mutating func noteOn(_ pitch: Float, velocity: Float, id: Int32? = nil, beat: Double) {
    end(beat) { $0.pitch == pitch }
    guard beat >= start - 0.1, velocity > 0 else { return }
    for index in held.indices where held[index] == nil {
      held[index] = Held(pitch: pitch, velocity: velocity, id: id, beat: max(beat, start))
      return
    }
  }

  /// Ends the held note that has the given `id`; if `id` is nil, ends the held note that has the given pitch.
  public mutating func noteOff(_ pitch: Float, id: Int32? = nil, beat: Double) {
    end(beat) { id == nil ? $0.pitch == pitch : $0.id == id }
  }

  private mutating func end(_ beat: Double, _ isMeant: (Held) -> Bool) {
    for index in held.indices {
      guard let note = held[index], isMeant(note) else { continue }
      held[index] = nil
      write(note, until: beat)
    }
  }

  /// Returns the recorded melody; notes that are still held end at the melody's end.
  ///
  /// - Parameter quantiser: the quantiser that moves the notes to its grid; nil leaves the notes as played.
  public func melody(quantised quantiser: Quantiser? = nil) -> Melody {
    melody(quantised: quantiser, heldBefore: .infinity)
  }

  /// Returns the recorded melody without the notes that are still held and began at or after the beat `limit`.
  func melody(quantised quantiser: Quantiser?, heldBefore limit: Double) -> Melody {
    var recorder = self
    for index in held.indices {
      guard let note = held[index], note.beat < limit else { continue }
      let passes = ((note.beat - start) / Double(taken.beats)).rounded(.down) + 1
      recorder.write(note, until: start + passes * Double(taken.beats))
    }
    guard let quantiser else { return recorder.taken }
    return recorder.taken.quantised(by: quantiser)
  }

  /// Returns whether a note that began at or after a beat is held: the note with the given ID, or any note if the ID is
  /// nil.
  func isHolding(_ id: Int32? = nil, from beat: Double) -> Bool {
    for index in held.indices {
      if let note = held[index], note.beat >= beat, id == nil || note.id == id { return true }
    }
    return false
  }

  private mutating func write(_ note: Held, until beat: Double) {
    let place = (note.beat - start).truncatingRemainder(dividingBy: Double(taken.beats))
    taken.add(
      Melody.Event(
        beat: Float(place), length: Float(beat - note.beat), pitch: note.pitch, velocity: note.velocity))
  }
}
