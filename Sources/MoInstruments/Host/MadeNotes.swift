import MoCore
import Synchronization

/// A note that an instrument plays by itself, such as a step of an arpeggio.
package struct MadeNote: Sendable, BitwiseCopyable {
  /// The number of the player within the instrument, 0 … 2; nil for drums.
  ///
  /// An instrument with a single player uses 0. In a band, 0 is the bass, 1 the guitar and 2 the keyboard.
  package var part: UInt8?
  /// The MIDI key; for drums, the key of General MIDI's percussion map.
  package var key: UInt8
  /// The strength of the note, 0 … 1.
  package var velocity: Float
  /// The length in seconds.
  package var length: Float
  /// The time at which the note is heard.
  package var time: HostTime
}

/// The notes that an instrument plays by itself, on their way from the audio thread to MIDI out.
///
/// The queue is closed until `open` is called; notes that are added before this call are dropped.
///
/// - Thread: `pop` from one thread; `open` from any; the rest from the audio thread.
/// - Real-time safe: yes, except for `init`.
package final class MadeNotes: @unchecked Sendable {
  // Unchecked: `waiting` and `count` belong to the audio thread.
  private let queue = MoQueue<MadeNote>(capacity: 512)
  private let isOpen = Atomic<Bool>(false)
  /// The notes that have been added since the last `flush(at:)`; the next `flush(at:)` sets their time.
  private var waiting = InlineArray<32, MadeNote>(
    repeating: MadeNote(part: nil, key: 0, velocity: 0, length: 0, time: .zero))
  private var count = 0

  package init() {}

  /// Opens the queue: notes that are added from now on reach `pop`.
  package func open() { isOpen.store(true, ordering: .relaxed) }

  /// Adds a note that is heard at the time of the next `flush(at:)`; if 32 notes already wait, drops the note.
  func add(_ key: Float, _ velocity: Float, length: Double, part: UInt8? = 0) {
    guard count < waiting.count, isOpen.load(ordering: .relaxed) else { return }
    waiting[count] = MadeNote(
      part: part, key: UInt8(max(0, min(key.rounded(), 127))), velocity: velocity, length: Float(length),
      time: .zero)
    count += 1
  }

  /// Adds a strike of a drum, as a note of General MIDI's percussion map that lasts 0.1 s.
  func add(_ drum: DrumSound, _ velocity: Float) {
    add(Float(drum.key), velocity, length: 0.1, part: nil)
  }

  /// Adds the waiting notes to the queue; `time` is the time at which these notes are heard.
  func flush(at time: HostTime) {
    guard count > 0 else { return }
    for index in 0..<count {
      waiting[index].time = time
      queue.push(waiting[index])
    }
    count = 0
  }

  /// Removes the oldest note from the queue and returns the note; nil if the queue is empty.
  package func pop() -> MadeNote? { queue.pop() }
}

/// An instrument that plays notes by itself.
package protocol NoteMaker {
  /// The notes that the instrument plays by itself.
  var madeNotes: MadeNotes { get }
}
