import MoCore
import MoDSP

extension InstrumentSlot {
  /// Says when a rhythm begins or ends.
  func follow(_ beat: BeatClock?, at time: HostTime) {
    guard lines != nil || sequencer.quantiser != nil || isRhythm else { return }
    if lines == nil, sequencer.quantiser == nil { return end() }
    let runs = beat?.isPlaying(at: time) ?? false
    runs ? begin() : end()
  }

  /// Says that a rhythm runs, if that has not been said.
  func begin() {
    guard !isRhythm else { return }
    isRhythm = true
    deliver(.rhythm(isRunning: true))
  }

  /// Says that none runs any more, if one did.
  private func end() {
    guard isRhythm else { return }
    isRhythm = false
    deliver(.rhythm(isRunning: false))
  }

  /// The next line of the instrument's grid in the block, if it has one.
  func nextLine(in block: borrowing AudioBlock, _ beat: BeatClock?) -> SwungSteps.Step? {
    guard let beat, lines != nil else { return nil }
    lines?.swing = swing
    return lines?.next(in: block, of: beat)
  }
}

extension GridLine {
  /// A line as instruments get it.
  init(_ step: SwungSteps.Step) {
    self.init(
      beat: step.beat, position: step.position, tempo: step.tempo, length: step.length,
      isCountIn: step.isCountIn)
  }
}
