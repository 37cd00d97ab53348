import MIDICore
import MoCore
import MoInstruments
import MoMIDI
import MoRuntime
import Testing

@Suite("A rhythm that follows gear")
struct GearFollowerTests {
  /// Gear, a rhythm, and the follower between them, in counted time.
  private final class Harness {
    let clock = ManualClock()
    let input = MIDIClockInput()
    let rhythm: Rhythm
    let follower: GearFollower

    init(_ change: (@Sendable (MIDIClockConductor.Change) throws -> Bool)? = nil) throws {
      rhythm = Rhythm(tempo: 90, clock: clock) { 0.05 }
      var target = ClockTarget(rhythm)
      if let change { target.change = change }
      follower = GearFollower(input, target, Run(try RunOptions(arguments: ["--quiet"])))
      // Its first look was for the run's clock.
      follower.service(until: clock.now)
    }

    func send(_ message: MIDIMessage) { input.handle(MIDIEvent(message, at: clock.now, port: "drums")) }

    /// Sends clocks at a tempo.
    func play(quarters: Int, tempo: Double) {
      for _ in 0..<24 * quarters {
        send(.clock)
        let next = clock.now.advanced(bySeconds: 60 / (24 * tempo))
        while let look = follower.nextTime, look < next {
          clock.advance(to: look)
          follower.service(until: look)
        }
        clock.advance(to: next)
      }
    }
  }

  @Test("starts with the gear at its beat, takes its tempo, and continues when the gear stops")
  func follows() throws {
    let harness = try Harness()
    harness.send(.start)
    harness.play(quarters: 16, tempo: 132)
    #expect(harness.rhythm.state == .playing)
    #expect(abs(try #require(harness.rhythm.beat.beat(at: harness.clock.now)) - 16) < 0.002)
    harness.play(quarters: 16, tempo: 100)
    #expect(abs(try #require(harness.rhythm.beat.beat(at: harness.clock.now)) - 32) < 0.005)
    harness.send(.stop)
    harness.clock.advance(by: .seconds(60))
    harness.follower.service(until: harness.clock.now)
    #expect(abs(try #require(harness.rhythm.beat.beat(at: harness.clock.now)) - 132) < 0.02)
    #expect(harness.rhythm.state == .playing && abs(harness.rhythm.tempo.beatsPerMinute - 100) < 0.02)
  }

  @Test("does not start a rhythm for clocks without start, nor after it was refused")
  func refused() throws {
    let idle = try Harness()
    idle.play(quarters: 16, tempo: 120)
    #expect(idle.rhythm.state == .stopped)
    let asked = Locked(0)
    let harness = try Harness { _ in
      asked.withLock { $0 += 1 }
      throw MIDIError.queueFull
    }
    harness.send(.start)
    harness.play(quarters: 16, tempo: 120)
    #expect(asked.withLock { $0 } == 1)
    harness.send(.start)
    harness.play(quarters: 8, tempo: 120)
    #expect(asked.withLock { $0 } == 2)
  }

  @Test("tries a start again while the room's clock is not known")
  func arriving() throws {
    let asked = Locked(0)
    let harness = try Harness { change in
      guard case .start = change else { return true }
      return asked.withLock { count in
        count += 1
        return count > 3
      }
    }
    harness.send(.start)
    harness.play(quarters: 16, tempo: 120)
    #expect(asked.withLock { $0 } == 4)
  }
}
