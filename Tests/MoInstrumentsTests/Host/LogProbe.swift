import MoDSP
import MoInstruments

/// The events that reached an instrument, with their frames.
final class EventLog: @unchecked Sendable {
  // Unchecked: written by the rendering thread, read after it has finished.
  struct Entry {
    var frame: Int
    var event: InstrumentEvent
  }

  var entries: [Entry] = []

  /// The frames and IDs of the notes that began.
  var begun: [(id: Int32, frame: Int)] {
    entries.compactMap { entry in
      if case .noteOn(let note) = entry.event { (note.id, entry.frame) } else { nil }
    }
  }

  /// The frames and IDs of the notes that were released.
  var ended: [(id: Int32, frame: Int)] {
    entries.compactMap { entry in
      if case .noteOff(let note) = entry.event { (note.id, entry.frame) } else { nil }
    }
  }

  /// The frames of strokes.
  var strokes: [Int] {
    entries.compactMap { entry in if case .strike = entry.event { entry.frame } else { nil } }
  }

  /// The IDs of the notes that have begun and were not released.
  var held: Set<Int32> {
    var held: Set<Int32> = []
    for entry in entries {
      switch entry.event {
      case .noteOn(let note): held.insert(note.id)
      case .noteOff(let note): held.remove(note.id)
      case .allOff: held = []
      default: break
      }
    }
    return held
  }
}

/// A silent instrument that logs the events that reach it.
struct LogProbe: Instrument {
  static let sheet = InstrumentInfo(name: "log-probe", summary: "writes down what reaches it", tail: 0.1)

  private let log: EventLog
  private var pending: [InstrumentEvent] = []

  init(_ log: EventLog) { self.log = log }

  init(seed: UInt64? = nil) { log = EventLog() }

  mutating func prepare(sampleRate: Double, blockFrames: Int) {}

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) { pending.append(event) }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for event in pending { log.entries.append(EventLog.Entry(frame: Int(block.position), event: event)) }
    pending.removeAll(keepingCapacity: true)
  }
}
