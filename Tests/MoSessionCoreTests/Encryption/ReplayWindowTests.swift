import MoSessionCore
import Testing

@Suite("Replay window")
struct ReplayWindowTests {
  @Test("accepts each datagram once in any order, like a complete list of all received ones")
  func asAList() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let start = UInt64.random(in: 0...1000, using: &random)
      var window = ReplayWindow(after: start)
      var seen = Set(0...start)
      var newest = start
      for _ in 0..<2000 {
        let step = [1, 3, 63, 64, 65, 127, 128, 129, 1000].randomElement() ?? 1
        let number = newest &+ UInt64.random(in: 0...2 * UInt64(step), using: &random) &- UInt64(step)
        guard number < 1 << 40 else { continue }
        let isNew = !seen.contains(number) && number + 128 > newest
        let isAccepted = window.accept(number)
        #expect(isAccepted == isNew)
        if isNew { seen.insert(number) }
        newest = max(newest, number)
      }
    }
  }

  @Test("works up to the highest number")
  func ends() {
    var window = ReplayWindow(after: 0)
    let accepted = [0, UInt64.max, .max, .max - 127, .max - 128].map { window.accept($0) }
    #expect(accepted == [false, true, false, true, false])
  }
}
