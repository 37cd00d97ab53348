import MIDICore
import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("A member that follows gear by MIDI clock")
struct GearConductsTests {
  /// A room whose first member follows gear with 3 ms of jitter, 100 ppm off, and 1 % of its clocks lost.
  private struct Rehearsal {
    var orchestra: VirtualOrchestra
    var gear = MIDIClockFollower()
    var conductor = MIDIClockConductor()
    /// The first refusal.
    var refusal: SessionRefusal?
    private var chance: SimulatedChance
    /// The true time of the gear's beat 0, and its next clock.
    private(set) var begun: Double
    private var clock = 0
    private let tempi: (Double, Double, change: Double)

    init(_ network: SimulatedNetwork, seed: UInt64, tempi: (Double, Double, change: Double)) {
      orchestra = VirtualOrchestra.room(8, on: network, seed: seed)
      chance = SimulatedChance(seed: seed &+ 77)
      begun = orchestra.seconds + 0.5
      self.tempi = tempi
      gear.receive(.start, at: orchestra.host(0))
    }

    /// The true time of a beat of the gear.
    func time(ofBeat beat: Double) -> Double {
      let (first, second, change) = tempi
      let passed =
        beat < change ? beat * 60 / first : change * 60 / first + (beat - change) * 60 / second
      return begun + passed * (1 + 1e-4)
    }

    /// Plays until a beat of the gear.
    mutating func play(until end: Double) {
      while Double(clock) / 24 < end {
        let beat = Double(clock) / 24
        let arrival = max(orchestra.seconds, time(ofBeat: beat) + 0.003 * chance.normal())
        clock += 1
        guard clock == 1 || chance.unit() > 0.01 else { continue }
        orchestra.run(to: arrival)
        gear.receive(.clock, at: orchestra.host(0))
        steer()
      }
    }

    private mutating func steer() {
      let (core, now) = (orchestra.core(0), orchestra.host(0))
      guard let change = conductor.change(at: now, gear, core.beatClock, lead: core.lead(at: now)) else {
        return
      }
      do {
        try orchestra.act(0) { core, now throws(SessionRefusal) in
          switch change {
          case .start(let time, let beat, let tempo):
            var beginning = SessionCore.Beginning()
            (beginning.tempo, beginning.place) = (tempo.beatsPerMinute, .init(time: time, beat: beat))
            try core.start(beginning, now: now)
          case .steer(let time, let tempo, let end, let then):
            try core.steer(
              tempo.beatsPerMinute, at: time, then: then.beatsPerMinute, at: end, now: now)
          }
        }
      } catch {
        refusal = refusal ?? error
        conductor.release()
      }
    }

    /// The gear's beat at the present true time.
    var gearBeat: Double {
      let (first, second, change) = tempi
      let passed = (orchestra.seconds - begun) / (1 + 1e-4)
      let until = change * 60 / first
      return passed < until ? passed * first / 60 : change + (passed - until) * second / 60
    }
  }

  @Test(
    "leads eight members in time with the gear through a change from 120 to 140, as close together as without gear",
    arguments: [("wire", SimulatedNetwork.wire, 0.05), ("bad Wi-Fi", .badWiFi, 0.6)], [1, 2, 3] as [UInt64])
  func follows(network: (name: String, SimulatedNetwork, p95: Double), seed: UInt64) throws {
    var room = Rehearsal(network.1, seed: seed, tempi: (120, 140, change: 96))
    var errors: [Double] = []
    var spreads: [Double] = []
    var goesBack = false
    var last = -1.0
    for step in 1...192 {
      room.play(until: Double(step))
      guard step > 16 else { continue }
      let beat = try #require(room.orchestra.beat(3))
      if beat < last { goesBack = true }
      last = beat
      let error = (beat - room.gearBeat) * 60 / (step < 96 ? 120 : 140)
      // Two bars after the change it follows again.
      if !(96..<104).contains(step) { errors.append(abs(error)) }
      spreads.append(try #require(room.orchestra.spread(of: 0...7)))
    }
    errors.sort()
    spreads.sort()
    #expect(!goesBack)
    #expect(room.refusal == nil)
    #expect(errors[errors.count * 95 / 100] < 0.002, "\(errors.suffix(10))")
    #expect(spreads[spreads.count * 95 / 100] <= network.p95)
  }

  @Test("goes on at the gear's tempo when the gear stops or loses its cable")
  func goesOn() throws {
    var room = Rehearsal(.wire, seed: 5, tempi: (120, 97, change: 48))
    room.play(until: 96)
    let error = try #require(room.orchestra.beat(3)) - room.gearBeat
    room.gear.receive(.stop, at: room.orchestra.host(0))
    room.orchestra.pass(60)
    let later = try #require(room.orchestra.beat(3)) - room.gearBeat
    #expect(abs(error) < 0.01 && abs(later - error) < 0.02)
    #expect(room.orchestra.core(0).conductor(at: room.orchestra.host(0)) == room.orchestra.id(0))
  }

  @Test("leaves the rhythm to another member that conducts")
  func refused() throws {
    var room = Rehearsal(.wire, seed: 6, tempi: (120, 120, change: 1000))
    try room.orchestra.start(4) { $0.tempo = 91 }
    room.orchestra.pass(0.4)
    room.play(until: 32)
    #expect(room.refusal == .conducted(by: "p5"))
    let tempo = try #require(room.orchestra.members[2].tempo(atNanoseconds: room.orchestra.now))
    #expect(tempo == 91)
  }

  @Test("starts anew with the gear, at the gear's beat, and at the place of song position")
  func restarts() throws {
    var room = Rehearsal(.wire, seed: 7, tempi: (120, 120, change: 1000))
    room.play(until: 16)
    room.gear.receive(.songPosition(256), at: room.orchestra.host(0))
    room.gear.receive(.continue, at: room.orchestra.host(0))
    room.play(until: 32)
    let beat = try #require(room.orchestra.beat(7))
    // Sixteenth 256 is beat 64; the clock after continue was that of beat 16.
    #expect(abs(beat - (room.gearBeat + 48)) < 0.01)
    let position = try #require(room.orchestra.core(7).beatClock.position(at: room.orchestra.host(7)))
    #expect(position.bar == Int(beat / 4) + 1)
  }
}
