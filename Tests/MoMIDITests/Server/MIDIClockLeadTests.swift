import MoCore
import MoMIDI
import MoRuntime
import Testing

@Suite("A program that leads gear by MIDI clock")
struct MIDIClockLeadTests {
  private let beat = BeatClock(
    alone: Timeline(
      BeatSegment(
        start: SessionTime(nanoseconds: 0), beat: 0, tempo: 120, isPlaying: true, soundsFrom: 0)))

  @Test("a second leader of a port is refused, however it names the port, until the first one has ended")
  func second() throws {
    let drums = MIDIPort(MIDIAddress(240, 0), client: "Clock test", name: "Clock test MIDI 1")
    func server() -> MIDIServer { MIDIServer { _ throws(MIDIError) in FakeSequencer([drums]) } }
    let (first, second) = (server(), server())
    try first.lead({ beat }, in: liveRun { $0.midiOut = "clock test" })
    #expect(throws: MIDIError.clockTaken(port: "Clock test MIDI 1")) {
      try second.lead({ beat }, in: liveRun { $0.midiOut = "Clock test MIDI 1" })
    }
    second.stop()
    first.stop()
    try second.lead({ beat }, in: liveRun { $0.midiOut = "Clock test MIDI 1" })
    second.stop()
  }

  @Test("leads two devices of the same name, and no other program can lead either of them")
  func sameName() throws {
    let first = MIDIPort(MIDIAddress(241, 0), client: "Clock cable", name: "Clock cable MIDI 1")
    var second = first
    second.address.client = 242
    let ports = [first, second]
    func server() -> MIDIServer { MIDIServer { _ throws(MIDIError) in FakeSequencer(ports) } }
    let leader = server()
    try leader.lead({ beat }, in: liveRun { $0.midiOut = "Clock cable" })
    for address in ["241:0", "242:0"] {
      let other = server()
      #expect(throws: MIDIError.clockTaken(port: "Clock cable MIDI 1")) {
        try other.lead({ beat }, in: liveRun { $0.midiOut = address })
      }
      other.stop()
    }
    leader.stop()
  }

  @Test("leads a device at the address of an unplugged device that another program leads")
  func sameAddress() throws {
    func server(_ name: String) -> MIDIServer {
      let port = MIDIPort(MIDIAddress(243, 0), client: name, name: "\(name) MIDI 1")
      return MIDIServer { _ throws(MIDIError) in FakeSequencer([port]) }
    }
    let (first, second) = (server("Clock synth"), server("Clock drums"))
    try first.lead({ beat }, in: liveRun { $0.midiOut = "Clock synth" })
    try second.lead({ beat }, in: liveRun { $0.midiOut = "Clock drums" })
    second.stop()
    first.stop()
  }
}
