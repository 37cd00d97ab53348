import MoCore
import MoDSP
import MoInstruments
import Testing

@testable import MoConsole

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

  @Test("a key that chooses a parameter while the instrument is replaced chooses one of the new instrument")
  func replaced() throws {
    let bus = InstrumentBus(sampleRate: 48_000)
    let many = try Instruments.named("drone").add(to: bus)
    let few = try Instruments.named("tone").add(to: bus)
    #expect(many.parameters.count > few.parameters.count)
    let console = InstrumentConsole(many)
    let player = try MoThread(name: "player") { _ in
      for _ in 0..<20_000 { console.handleKey(.down, at: .zero) }
    }
    for round in 0..<20_000 { console.handle = round.isMultiple(of: 2) ? few : many }
    player.join()
    // The key resets the chosen parameter, and would stop the program if there were no such parameter.
    console.handle = few
    console.handleKey(.character("0"), at: .zero)
    #expect(few.parameters.indices.allSatisfy { few.value($0) == few.parameters[$0].initial })
  }
}
