import Glibc
import MoAudioEngine
import MoCore
import MoTesting
import Testing

@Suite("Ring between disk and player")
struct FrameRingTests {
  private static let length = 100_000

  @Test("delivers all requested frames in order, both ways, between two threads")
  func seeking() throws {
    let ring = FrameRing(channels: 2, frames: 256)
    let disk = try MoThread(name: "mo-disk") { write(to: ring, $0) }
    var random = TestRandom(seed: 1)
    var (read, wrong) = (0, 0)
    for _ in 0..<300 {
      var place = Int.random(in: 0..<Self.length, using: &random)
      let isBackwards = Bool.random(using: &random)
      var wanted = Int.random(in: 0..<700, using: &random)
      ring.ask(for: place, backwards: isBackwards)
      while !ring.arrive() { sched_yield() }
      while wanted > 0, ring.left != 0 {
        let count = min(ring.readable, wanted)
        for ahead in 0..<count {
          let sample = Float(isBackwards ? place - ahead : place + ahead)
          if ring.sample(ahead, 0) != sample || ring.sample(ahead, 1) != -sample { wrong += 1 }
        }
        ring.advance(by: count)
        place += isBackwards ? -count : count
        (read, wanted) = (read + count, wanted - count)
        if count == 0 { sched_yield() }
      }
    }
    disk.cancel()
    disk.join()
    #expect(wrong == 0)
    #expect(read > 80_000)
  }

  /// Writes a sound whose samples are their positions.
  private func write(to ring: FrameRing, _ thread: MoThread.Body) {
    var chunk = [Float](repeating: 0, count: 128)
    var (place, isBackwards, isAtEnd) = (0, false, true)
    while !thread.isCancelled {
      if let request = ring.request() {
        (place, isBackwards, isAtEnd) = (request.frame, request.backwards, false)
        ring.serve(request.number)
      }
      let count = min(64, isBackwards ? place + 1 : Self.length - place)
      if isAtEnd || ring.room < 64 {
        sched_yield()
      } else if count <= 0 {
        ring.finish()
        isAtEnd = true
      } else {
        let first = isBackwards ? place - count + 1 : place
        for frame in 0..<count {
          (chunk[2 * frame], chunk[2 * frame + 1]) = (Float(first + frame), -Float(first + frame))
        }
        ring.write(chunk, frames: count, backwards: isBackwards)
        place += isBackwards ? -count : count
      }
    }
  }
}
