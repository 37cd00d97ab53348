import MoDSP
import MoTesting
import Testing

@Suite("A slewed value")
struct SlewTests {
  @Test(
    "a goal that is NaN or infinite leaves the value", arguments: [.nan, .infinity, -.infinity] as [Float])
  func badGoal(goal: Float) {
    var slew = Slew(1, slew: 0.7)
    #expect(slew.follow(goal, by: 0.1) == 1)
    slew.goal = goal
    #expect(slew.advance(by: 0.1) == 1)
    slew.goal = 3
    #expect(slew.advance(by: 1) > 2)
  }

  @Test("has the same curve at 50, 100, 200 and 1000 updates per second, and at irregular ones")
  func anyRate() {
    var random = TestRandom(seed: 4)
    func curve(_ steps: () -> Float) -> [Float] {
      var slew = Slew(-1, slew: 0.7)
      slew.goal = 3
      var (time, values): (Float, [Float]) = (0, [])
      for second in 1...3 {
        while time < Float(second) - 1e-5 {
          let step = min(steps(), Float(second) - time)
          slew.advance(by: step)
          time += step
        }
        values.append(slew.value)
      }
      return values
    }
    // The fraction 0.3 of the way remains after each second: 3 − 4 · 0.3ⁿ.
    let wanted: [Float] = [3 - 4 * 0.3, 3 - 4 * 0.09, 3 - 4 * 0.027]
    let steps: [() -> Float] = [
      { 1 }, { 1 / 50 }, { 1 / 100 }, { 1 / 200 }, { 1 / 1000 }, { Float(random.uniform()) * 0.05 },
    ]
    for made in steps.map(curve) {
      #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 2e-4 })
    }
  }

  @Test("follows the line through readings, at any rate", arguments: GeometryValues.slews)
  func follow(row: [Float]) {
    let goals = Array(row[1...4])
    for rate in [1, 50, 100, 200, 1000] {
      var slew = Slew(goals[0], slew: row[0])
      for index in 1...3 * rate {
        let (second, part) = ((index - 1) / rate, Float((index - 1) % rate + 1) / Float(rate))
        slew.follow(goals[second] + (goals[second + 1] - goals[second]) * part, by: 1 / Float(rate))
      }
      #expect(abs(slew.value - row[5]) < 2e-4)
    }
  }

  @Test("leaves the margin after the given time")
  func within() {
    for seconds: Float in [0.001, 0.05, 1, 30] {
      var slew = Slew(0, within: seconds, margin: 0.01)
      slew.goal = 1
      for _ in 0..<10 { slew.advance(by: seconds / 10) }
      #expect(abs(slew.value - 0.99) < 1e-4)
    }
    var slew = Slew(0, within: 1)
    slew.goal = 1
    #expect(abs(slew.advance(by: 1) - 0.95) < 1e-5)
  }

  @Test("arrives immediately with 1, never moves with 0, and never goes back or past its goal")
  func limits() {
    for (slew, wanted): (Float, Float) in [(1, 5), (7, 5), (0, 2), (-3, 2), (.nan, 2)] {
      var value = Slew(2, slew: slew)
      value.goal = 5
      #expect(value.advance(by: 0) == 2)
      #expect(value.advance(by: -1) == 2)
      #expect(value.advance(by: 0.01) == wanted)
      #expect(value.follow(5, by: 0) == wanted)
      #expect(value.follow(6, by: 0.01) == (wanted == 5 ? 6 : 2))
    }
    var far = Slew(0, slew: 0.9)
    far.goal = 1
    #expect(far.advance(by: 1e30) == 1)
    far.set(4)
    #expect(far.advance(by: 3) == 4)
  }

  @Test("of three axes moves each axis like a single value")
  func threeAxes() {
    var together = Slew3(Vector3(1, 2, 3), slew: 0.4)
    together.goal = Vector3(-1, 0, 9)
    together.z.slew = 0.8
    var alone = Slew(3, slew: 0.8)
    alone.goal = 9
    for _ in 0..<10 {
      #expect(together.advance(by: 0.1).z == alone.advance(by: 0.1))
    }
    #expect(together.value.isNear(Vector3(1 - 2 * 0.4, 2 - 2 * 0.4, 3 + 6 * 0.8), within: 1e-5))
    #expect(together.follow(Vector3(0, 0, 0), by: 0.1).z == alone.follow(0, by: 0.1))
    together.set(.zero)
    #expect(together.goal == .zero)
  }
}
