import MoCore
import MoDSP

extension InstrumentSlot {
  /// Reports the start and the end of a rhythm to the instrument.
  func follow(_ beat: BeatClock?, at time: HostTime) {
    guard lines != nil || sequencer.quantiser != nil || isRhythm else { return }
    if lines == nil, sequencer.quantiser == nil { return end() }
    let runs = beat?.isPlaying(at: time) ?? false
    runs ? begin() : end()
  }

  /// Reports that a rhythm runs, unless that was already reported.
  func begin() {
    guard !isRhythm else { return }
    isRhythm = true
    deliver(.rhythm(isRunning: true))
  }

  /// Reports that the rhythm has ended, if one was running.
  private func end() {
    guard isRhythm else { return }
    isRhythm = false
    deliver(.rhythm(isRunning: false))
  }

  /// Returns the next line of the instrument's own grid in the block, if it has one.
  func nextLine(in block: borrowing AudioBlock, _ beat: BeatClock?) -> SwungSteps.Step? {
    guard let beat, lines != nil else { return nil }
    lines?.swing = swing
    return lines?.next(in: block, of: beat)
  }
}

extension GridLine {
  /// Creates a line as instruments receive it.
  init(_ step: SwungSteps.Step) {
    self.init(
      beat: step.beat, position: step.position, tempo: Tempo(step.tempo), length: step.length,
      isCountIn: step.isCountIn)
  }
}
