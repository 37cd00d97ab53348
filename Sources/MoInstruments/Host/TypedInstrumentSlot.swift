import MoCore
import MoDSP

/// A slot of the bus that holds an instrument of the type `Sound`.
@usableFromInline
package final class TypedInstrumentSlot<Sound: Instrument>: InstrumentSlot, @unchecked Sendable {
  // Unchecked: as `InstrumentSlot`.
  private let sound: UnsafeMutablePointer<Sound>

  /// Moves an instrument into a new slot, and prepares the instrument for a sample rate.
  package init(_ instrument: sending Sound, name: String? = nil, sampleRate: Double) {
    sound = .allocate(capacity: 1)
    sound.initialize(to: instrument)
    let controls = Sound.Control.allCases.map(\.parameter)
    precondition(
      zip(Sound.Control.allCases, 0...).allSatisfy { $0.rawValue == $1 },
      "an instrument's controls count from 0")
    super.init(
      sheet: Sound.sheet, name: name ?? Sound.sheet.name, controls: controls, sampleRate: sampleRate,
      madeNotes: (sound.pointee as? any NoteMaker)?.madeNotes)
  }

  override func fit(sampleRate: Double) {
    super.fit(sampleRate: sampleRate)
    sound.pointee.prepare(sampleRate: sampleRate, blockFrames: ControlGlide.period)
  }

  deinit {
    sound.deinitialize(count: 1)
    sound.deallocate()
  }

  override var swing: Double { sound.pointee.swing }

  override func deliver(_ event: InstrumentEvent) { sound.pointee.handle(event, Controls(bank.glides)) }

  override func renderScratch(frames: Int, position: Int64, time: HostTime) -> Bool {
    guard sound.pointee.isSounding else { return false }
    let samples = UnsafeMutableBufferPointer(rebasing: scratch[..<(2 &* frames)])
    samples.update(repeating: 0)
    var block = AudioBlock(
      output: samples.mutableSpan, input: UnsafeBufferPointer(rebasing: samples[..<0]).span, outputs: 2,
      inputs: 0,
      frames: frames, sampleRate: sampleRate, position: position, time: time)
    sound.pointee.render(&block, Controls(bank.glides))
    return true
  }
}
