import MoCore
import MoDSP
import Synchronization
import Testing

@Suite("The latest value")
struct LatestValueTests {
  @Test("is never half old and half new")
  func whole() throws {
    let latest = LatestValue(Motion.still)
    @Sendable func motion(_ number: Int) -> Motion {
      let value = Float(number)
      return Motion(
        time: HostTime(nanoseconds: Int64(number)), x: value, y: value, z: value,
        tilt: Motion.Tilt(pitch: value, roll: value), activity: value, strike: number % 2 == 0 ? value : nil)
    }
    latest.store(motion(0))
    let isDone = Atomic<Bool>(false)
    let writer = try MoThread(name: "writer") { _ in
      for number in 0..<300_000 { latest.store(motion(number)) }
      isDone.store(true, ordering: .releasing)
    }
    var looks = 0
    var torn = 0
    repeat {
      let seen = latest.load()
      if seen != motion(Int(seen.time.nanoseconds)) { torn += 1 }
      looks += 1
    } while !isDone.load(ordering: .acquiring)
    writer.join()
    #expect(torn == 0)
    #expect(latest.load() == motion(299_999))
  }
}
