import Glibc
import MIDICore
import MoCore
import Testing

/// The number of notes to test; more with MOMU_MIDI_NOTES=1000000.
private let noteCount = (getenv("MOMU_MIDI_NOTES").flatMap { Int(String(cString: $0)) } ?? 100_000) / 10

/// Two whole sessions, with handshakes, clock comparisons and confirmations, over bad links in virtual time.
@Suite("AppleMIDI sessions on a bad network")
struct SessionLawTests {
  private struct Ends {
    var random: SplitMix64
    var sessions: [AppleMIDISession]
    var players: [RandomPlayer]
    var links: [LossyLink]
    /// The state of each end's player, and of what the other end heard.
    var played = [ModelSynth(), ModelSynth()]
    var heard = [ModelSynth(), ModelSynth()]
    var now = HostTime(seconds: 100)
    var joins = 0
    var leaves = 0
    var notes = 0
    var sent = 0

    init(seed: UInt64, loss: Double) {
      random = SplitMix64(state: seed)
      sessions = [AppleMIDISession(name: "a", seed: seed), AppleMIDISession(name: "b", seed: seed + 1)]
      players = [RandomPlayer(seed: seed + 2), RandomPlayer(seed: seed + 3)]
      links = [LossyLink(), LossyLink()]
      for end in 0..<2 { links[end].loss = loss }
      if loss == 0 { for end in 0..<2 { (links[end].late, links[end].twice) = (0, 0) } }
      sessions[0].call(MIDIEndpoint(ipv4: 1, port: 5004), at: now)
    }

    mutating func pass(_ seconds: Double, plays: Bool) {
      now = now.advanced(bySeconds: seconds)
      for end in 0..<2 {
        if plays, sessions[0].joined.count + sessions[1].joined.count == 2 {
          var messages: [MIDIMessage] = []
          players[end].play { messages.append($0) }
          for message in messages {
            sessions[end].send(message, at: now)
            played[end].play(message)
          }
          sessions[end].flush(at: now)
        }
        sessions[end].tick(at: now)
        post(from: end)
      }
      for end in 0..<2 {
        for packet in links[end].arrived(by: now.seconds(since: .zero)) {
          let port: AppleMIDISession.Port = packet[0] == 0 ? .control : .data
          sessions[1 - end].receive(
            Array(packet[1...]).span, from: MIDIEndpoint(ipv4: UInt32(end), port: 5004 + UInt16(packet[0])),
            on: port,
            at: now)
        }
        post(from: 1 - end)
        take(at: 1 - end)
      }
    }

    private mutating func post(from end: Int) {
      for datagram in sessions[end].takeOutgoing() {
        sent += 1
        links[end].send(
          [datagram.from == .control ? 0 : 1] + datagram.bytes, at: now.seconds(since: .zero), &random)
      }
    }

    private mutating func take(at end: Int) {
      for event in sessions[end].takeEvents() {
        switch event {
        case .joined: joins += 1
        case .left: leaves += 1
        case .received(_, let message, _, _):
          if case .noteOn(_, _, let velocity) = message, velocity > 0 { notes += 1 }
          heard[1 - end].play(message)
        default: break
        }
      }
    }
  }

  @Test("carry all state both ways, and stay joined, with 10 % of all datagrams lost in bursts")
  func loss() {
    for seed in 1...UInt64(5) {
      var ends = Ends(seed: seed * 10, loss: 0.1)
      while ends.players[0].notes + ends.players[1].notes < noteCount / 5 { ends.pass(0.01, plays: true) }
      // The guard packets reveal the loss of the last ones, and are lost too.
      for _ in 0..<1000 { ends.pass(0.01, plays: false) }
      #expect(ends.joins == 2 && ends.leaves == 0)
      for end in 0..<2 {
        #expect(ends.heard[end].differences(ends.played[end]) == "")
        for (key, velocity) in ends.heard[end].keys.enumerated() where velocity > 0 {
          #expect(ends.played[end].keys[key] == velocity)
        }
      }
      // Each end confirms what it hears: then only clock comparisons are sent, three each two seconds.
      let before = ends.sent
      for _ in 0..<1000 { ends.pass(0.01, plays: false) }
      #expect(ends.sent - before < 60)
    }
  }

  @Test("carry every note without loss")
  func withoutLoss() {
    var ends = Ends(seed: 3, loss: 0)
    while ends.players[0].notes + ends.players[1].notes < 2000 { ends.pass(0.01, plays: true) }
    for _ in 0..<100 { ends.pass(0.01, plays: false) }
    #expect(ends.notes == ends.players[0].notes + ends.players[1].notes)
    #expect(ends.heard.map(\.keys) == ends.played.map(\.keys))
  }
}
