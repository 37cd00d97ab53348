import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Steps of a swung grid")
struct SwungStepsTests {
  @Test(
    "if the shared clock is set back, the steps continue in the new time without a gap",
    arguments: [1.5, 1000, 259_200])
  func setBack(seconds: Double) {
    let rig = BeatRig()
    var steps = SwungSteps(.sixteenth)
    func frames(of clock: BeatClock) -> [Int] {
      var found: [Int] = []
      rig.run(frames: 48_000) { block in
        while let step = steps.next(in: block, of: clock) { found.append(Int(block.position) + step.frame) }
      }
      return found
    }
    #expect(frames(of: beat(ahead: seconds, start: seconds)) == (0..<8).map { 6000 * $0 })
    #expect(frames(of: beat(ahead: 0, start: 0, take: 2)) == (8..<16).map { 6000 * $0 })
  }

  @Test("if a correction sets the shared clock back by 50 ms, no step sounds twice")
  func corrected() {
    let rig = BeatRig()
    var steps = SwungSteps(.sixteenth)
    var found: [Int64] = []
    for (seconds, frames) in [(0.05, 6100), (0, 18_000)] {
      let clock = beat(ahead: seconds, start: 0.05)
      rig.run(frames: Int64(frames)) { block in
        while let step = steps.next(in: block, of: clock) { found.append(step.index) }
      }
    }
    #expect(found == [0, 1, 2, 3])
  }
}
