import CMoSystem
import MoCore
import MoDSP

extension InstrumentBus {
  /// Makes an instrument type allocate everything it needs on first use, by handling every event once.
  ///
  /// A type's first call allocates memory that is never released (metadata, tables). Here this happens in advance, on a
  /// slot that is discarded.
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

  /// Frames rendered after each event: enough for an attack to reach its peak.
  private static let stretch = 1024
}
