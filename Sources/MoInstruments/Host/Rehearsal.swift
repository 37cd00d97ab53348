import CMoSystem
import MoCore
import MoDSP

extension InstrumentBus {
  /// Plays every kind of event once on a slot that is then discarded, so that the audio thread need not allocate later.
  ///
  /// The first use of an instrument type allocates memory that is never released (metadata, tables). The rehearsal
  /// makes these allocations in advance, on the calling thread.
  package static func rehearse(_ seat: InstrumentSlot) {
    momu_thread_set_rehearsing(1)
    defer { momu_thread_set_rehearsing(0) }
    let note = Note(60)
    let line = GridLine(
      beat: 0, position: BarPosition(bar: 1, beat: 0, meter: .common), tempo: 120, length: 0.125)
    let events: [InstrumentEvent] = [
      .rhythm(isRunning: true), .noteOn(note), .line(line), .bend(1), .strike(0.5), .motion(.still),
      .noteMove(note),
      .noteOff(note), .rhythm(isRunning: false), .allOff,
    ]
    var samples = [Float](repeating: 0, count: 2 * stretch)
    for event in events {
      seat.deliver(event)
      samples.withUnsafeMutableBufferPointer { memory in
        var block = AudioBlock(
          output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2,
          inputs: 0,
          frames: stretch, sampleRate: seat.sampleRate)
        seat.add(to: &block, beat: nil)
      }
    }
  }

  /// The number of frames that the rehearsal renders after each event: enough for an attack to reach its peak.
  private static let stretch = 1024
}
