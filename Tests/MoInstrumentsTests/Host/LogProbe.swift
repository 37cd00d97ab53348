import MoDSP

@testable import MoInstruments

/// What reached an instrument, and at which frame.
final class EventLog: @unchecked Sendable {
  // Unchecked: written by the one thread that renders, read after it.
  struct Entry {
    var frame: Int
    var event: InstrumentEvent
  }

  var entries: [Entry] = []

  /// The frames and numbers of the notes that began.
  var begun: [(id: Int32, frame: Int)] {
    entries.compactMap { entry in
      if case .noteOn(let note) = entry.event { (note.id, entry.frame) } else { nil }
    }
  }

  /// The frames and numbers of the notes that were let go.
  var ended: [(id: Int32, frame: Int)] {
    entries.compactMap { entry in
      if case .noteOff(let note) = entry.event { (note.id, entry.frame) } else { nil }
    }
  }

  /// The frames of strokes.
  var strokes: [Int] {
    entries.compactMap { entry in if case .strike = entry.event { entry.frame } else { nil } }
  }

  /// The numbers of the notes that have begun and were not let go.
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

/// An instrument that writes down what reaches it, and is silent.
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
