import MoCore
import MoDSP

/// The grid lines sent to an instrument because it plays on a grid.
extension InstrumentSlot {
  /// Finds the next line; called once per block.
  func followGrid(in block: borrowing AudioBlock, _ beat: BeatClock?, _ half: Int64) {
    let earliest = block.time(0).advanced(byNanoseconds: 0 &- half)
    // Start again if the clock was set back.
    if lastGridLine > block.time(block.frames.count).advanced(bySeconds: 10) { lastGridLine = .distantPast }
    nextGridLine = gridLine(from: max(earliest, lastGridLine.advanced(byNanoseconds: 1_000_000)), beat)
  }

  /// Sends a line to the instrument, and finds the next.
  func tellGridLine(at time: HostTime, _ beat: BeatClock?) {
    lastGridLine = time
    nextGridLine = gridLine(from: time.advanced(byNanoseconds: 1_000_000), beat)
    guard let beat, let quantiser = sequencer.quantiser, let place = beat.beat(at: time) else { return }
    begin()
    deliver(.line(GridLine(at: time, beat: place, on: beat, quantiser)))
  }

  /// Returns the first line at or after a time; nil if none is to be sent.
  private func gridLine(from time: HostTime, _ clock: BeatClock?) -> HostTime? {
    guard lines == nil, let quantiser = sequencer.quantiser, !quantiser.isFree, let clock,
      let course = clock.course, clock.isPlaying(at: time), let beat = clock.beat(at: time)
    else { return nil }
    let session = clock.sessionTime(at: time)
    let next = quantiser.nextLine(from: beat, course.segment(at: session).barBeat)
    return course.moment(ofBeat: next, from: session).map { clock.hostTime(at: $0) }
  }
}

extension GridLine {
  /// Creates a line of an instrument's grid from the beat at a time.
  init(at time: HostTime, beat: Double, on clock: BeatClock, _ quantiser: Quantiser) {
    let tempo = clock.tempo(at: time) ?? Tempo(120)
    let position =
      clock.course?.segment(at: clock.sessionTime(at: time)).position(ofBeat: beat)
      ?? BarPosition(bar: 1, beat: 0, meter: .common)
    self.init(
      beat: beat, position: position, tempo: tempo,
      length: 60 / (tempo.beatsPerMinute * max(0.25, quantiser.stepsPerBeat)))
  }
}
