import MIDICore
import MoCore
import MoMIDI
import Testing

@Suite("MIDI out leaves at the time at which it is to be heard")
struct HeardTimeTests {
  @Test(
    "at any latency, notes leave at their heard time plus the trim, within a millisecond",
    arguments: [0.0, 16, 50, 250], [-20.0, 0, 35])
  func latency(milliseconds: Double, trim: Double) throws {
    let sequencer = FakeSequencer([.synth])
    let server = MIDIServer(
      open: { _ throws(MIDIError) in sequencer }, playThrough: { milliseconds * 1e-3 })
    let run = offlineRun { $0.midiTrim = trim }
    let sender = MIDISender(sequencer)
    var expected: [Double] = []
    for index in 0..<100 {
      let time = 1 + Double(index) * 0.0437
      let played = index % 2 == 0
      let leaving = server.leaving(
        at: played ? HostTime(seconds: time) : nil, heardAt: played ? nil : HostTime(seconds: time), in: run)
      expected.append(time + (played ? milliseconds * 1e-3 : 0) + trim * 1e-3)
      #expect(sender.add(.message(.control(0, 1, MIDIUInt7(clamping: index))), at: leaving))
    }
    // In counted time: from one due time to the next.
    var sent: [(index: Int, time: Double)] = []
    while let next = sender.nextTime {
      let before = sequencer.sent.count
      sender.service(until: next)
      for message in sequencer.sent[before...] {
        guard case .control(_, _, let value) = message else { continue }
        sent.append((Int(value.value), next.seconds))
      }
    }
    #expect(sent.count == 100)
    #expect(sent.allSatisfy { abs($0.time - expected[$0.index]) < 0.001 })
  }
}
