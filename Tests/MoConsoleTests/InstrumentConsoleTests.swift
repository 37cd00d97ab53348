import MoConsole
import MoCore
import MoDSP
import MoInstruments
import Testing

@Suite("The console of an instrument")
struct InstrumentConsoleTests {
  @Test("a picture of the console does not reset the peak that the program reads")
  func peak() throws {
    let bus = InstrumentBus(sampleRate: 48_000)
    let handle = try Instruments.named("tone").add(to: bus)
    let console = InstrumentConsole(handle)
    handle.noteOn(69)
    let frames = 4_800
    var samples = [Float](repeating: 0, count: 2 * frames)
    samples.withUnsafeMutableBufferPointer { memory in
      var block = AudioBlock(
        output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2,
        inputs: 0, frames: frames, sampleRate: 48_000, position: 0, time: .zero)
      bus.render(&block)
    }
    _ = console.picture(at: .zero, columns: 80)
    #expect(handle.takePeak() > 0)
    #expect(handle.takePeak() == 0)
  }
}
