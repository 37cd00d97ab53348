import MoCore
import MoInstruments
import Testing

@Suite("If the shared clock jumps")
struct ClockJumpTests {
  @Test(
    "a loop ends its notes, and continues at the new beat",
    arguments: [259_200, 1200, -1.5, -100])
  func jump(seconds: Double) {
    let rig = BeatRig()
    let before = beat(ahead: 0, start: -200)
    let after = beat(ahead: seconds, start: -200)
    var loop = MelodyLoop(Melody(beats: 1, [.init(beat: 0.25, length: 0.5, pitch: 50)]))
    var (begun, ended): ([Int64], [Int64]) = ([], [])
    func run(_ frames: Int64, _ clock: BeatClock) {
      rig.run(frames: frames) { block in
        while let (frame, event) = loop.next(in: block, of: clock) {
          if case .noteOn = event { begun.append(block.position + Int64(frame)) }
          if case .noteOff = event { ended.append(block.position + Int64(frame)) }
        }
      }
    }
    run(60_000, before)
    run(60_000, after)
    #expect(begun == [6000, 30_000, 54_000, 78_000, 102_000])
    #expect(ended == [18_000, 42_000, 60_000, 90_000, 114_000])
  }
}
