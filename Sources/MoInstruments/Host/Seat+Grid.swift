import MoDSP
import MoTime

/// A note that waits for its line, and by how much it is late.
struct WaitingNote: Sendable, BitwiseCopyable {
  var id: Int32
  var line: HostTime
  var delay: Duration
}

/// Playing on the grid: notes and strokes wait for their line while a rhythm runs.
///
/// Movement that an instrument reads itself does not wait here: the instrument is told of the lines, and begins there.
extension Seat {
  /// Whether something that was meant for a moment waits from now on; otherwise it is to be taken at once.
  ///
  /// - Real-time safe: yes.
  func wait(_ event: SeatEvent, from time: HostTime, _ beat: BeatClock?) -> Bool {
    guard case .event(let event) = event else { return false }
    switch event {
    case .noteOn(let note):
      guard let line = line(after: time, beat), let place = freePlace(at: time) else { return false }
      waitingNotes[place] = WaitingNote(id: note.id, line: line, delay: line - time)
      return waiting.add(.event(event), at: line)
    case .strike:
      guard let line = line(after: time, beat) else { return false }
      return waiting.add(.event(event), at: line)
    case .noteOff(let note):
      // A note that waits is as long as it was played.
      guard let held = waitingNote(note.id, at: time) else { return false }
      return waiting.add(.event(event), at: time + held.delay)
    case .noteMove(let note):
      guard let held = waitingNote(note.id, at: time) else { return false }
      return waiting.add(.event(event), at: held.line)
    case .allOff:
      forgetWaiting()
      return false
    case .bend, .motion, .line, .rhythm: return false
    }
  }

  /// What waits will not be heard.
  func forgetWaiting() {
    while waiting.due(at: .distantFuture) != nil {}
    for place in waitingNotes.indices { waitingNotes[place] = nil }
  }

  /// The line that something waits for; nil where it sounds at once.
  private func line(after time: HostTime, _ beat: BeatClock?) -> HostTime? {
    guard let quantiser, let beat, lines == nil else { return nil }
    let line = quantiser.time(for: time, on: beat)
    return line > time ? line : nil
  }

  /// The latest of the notes of that number, if it waits still.
  private func waitingNote(_ id: Int32, at time: HostTime) -> WaitingNote? {
    var found: WaitingNote?
    for place in waitingNotes.indices {
      guard let note = waitingNotes[place], note.id == id, note.line > time else { continue }
      if found.map({ $0.line <= note.line }) ?? true { found = note }
    }
    return found
  }

  private func freePlace(at time: HostTime) -> Int? {
    for place in waitingNotes.indices where waitingNotes[place].map({ $0.line <= time }) ?? true {
      return place
    }
    return nil
  }
}

/// The lines that an instrument is told of because it was asked to play on the grid.
extension Seat {
  /// Looks for the next line, once a block.
  func followGrid(in block: borrowing AudioBlock, _ beat: BeatClock?, _ half: Int64) {
    quantiser = grid.load()
    let earliest = block.time(0).advanced(byNanoseconds: 0 &- half)
    // A clock that was moved back begins anew.
    if lastGridLine > block.time(block.frames.count).advanced(bySeconds: 10) { lastGridLine = .distantPast }
    nextGridLine = gridLine(from: max(earliest, lastGridLine.advanced(byNanoseconds: 1_000_000)), beat)
  }

  /// Tells the instrument of a line, and looks for the next.
  func tellGridLine(at time: HostTime, _ beat: BeatClock?) {
    lastGridLine = time
    nextGridLine = gridLine(from: time.advanced(byNanoseconds: 1_000_000), beat)
    guard let beat, let quantiser, let place = beat.beat(at: time), let position = beat.position(at: time)
    else {
      return
    }
    let tempo = beat.tempo(at: time) ?? 120
    begin()
    deliver(
      .line(
        GridLine(
          beat: place, position: position, tempo: tempo,
          length: 60 / (max(1, tempo) * max(0.25, quantiser.stepsPerBeat)))))
  }

  /// The first line at or after a moment; nil where none is to be told.
  private func gridLine(from time: HostTime, _ beat: BeatClock?) -> HostTime? {
    guard lines == nil, let quantiser, let beat, quantiser.stepsPerBeat > 0, quantiser.strength > 0,
      beat.isPlaying(at: time)
    else { return nil }
    var strict = quantiser
    (strict.strength, strict.grace) = (1, 0)
    return strict.time(for: time, on: beat)
  }
}
