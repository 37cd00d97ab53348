import Glibc
import MIDICore
import Testing

/// The number of notes to test; more with MOMU_MIDI_NOTES=1000000.
private let noteCount = getenv("MOMU_MIDI_NOTES").flatMap { Int(String(cString: $0)) } ?? 100_000

@Suite("RTP-MIDI journal")
struct JournalLawTests {
  /// The sender's state at the time of a packet.
  private struct Moment {
    var synth: ModelSynth
    var presses: [Int]
  }

  /// Two peers on a link; a text ends the run if a law is broken.
  private struct Peers {
    var random: SplitMix64
    var player: RandomPlayer
    var sender: RTPMIDISender
    var receiver: RTPMIDIReceiver
    var link: LossyLink
    var moments: [UInt16: Moment] = [:]
    var synth = ModelSynth()
    var heard = ModelSynth()
    /// The last press of each key that the receiver played.
    var played = [Int](repeating: 0, count: ModelSynth.channels * 128)
    var checked = 0
    var confirmation = 0.0
    var packet: [UInt8] = []

    init(seed: UInt64, loss: Double) {
      random = SplitMix64(state: seed)
      player = RandomPlayer(seed: seed &+ 1)
      sender = RTPMIDISender(source: 7, first: 65_000)
      receiver = RTPMIDIReceiver(source: 7)
      link = LossyLink()
      if loss == 0 { (link.loss, link.late, link.twice) = (0, 0, 0) }
      link.loss = loss
    }

    mutating func step(_ count: Int) -> String? {
      let time = Double(count) * 0.004
      let stamp = UInt32(truncatingIfNeeded: count &* 40)
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        var messages: [MIDIMessage] = []
        player.play { messages.append($0) }
        for message in messages {
          if !sender.add(message, at: stamp) {
            take(at: stamp, time)
            _ = sender.add(message, at: stamp)
          }
          synth.play(message)
        }
      }
      if !sender.isEmpty || Int.random(in: 0..<10, using: &random) == 0 { take(at: stamp, time) }
      for packet in link.arrived(by: time) {
        if let broken = receive(packet) { return broken }
      }
      if time >= confirmation, let newest = receiver.newest {
        confirmation = time + 1
        // Feedback may be lost, too.
        if link.loss == 0 || Int.random(in: 0..<10, using: &random) > 0 { sender.confirm(newest) }
      }
      return nil
    }

    private mutating func take(at stamp: UInt32, _ time: Double) {
      packet.removeAll(keepingCapacity: true)
      sender.takePacket(&packet, at: stamp)
      guard let number = sender.lastNumber else { return }
      moments[number] = Moment(synth: synth, presses: player.presses)
      moments[number &- 300] = nil
      link.send(packet, at: time, &random)
    }

    private mutating func receive(_ packet: [UInt8]) -> String? {
      var broken: String?
      var events: [MIDIMessage] = []
      let isNew = receiver.receive(packet.span) { event in
        if case .message(let message, _, _) = event { events.append(message) }
      }
      guard let number = receiver.newest, let moment = moments[number] else { return "no such packet" }
      if !isNew, !events.isEmpty { return "a late packet played something" }
      for message in events {
        if case .noteOn(let channel, let note, let velocity) = message, velocity > 0 {
          broken = broken ?? press(channel, note, velocity, moment)
        }
        heard.play(message)
      }
      if let broken { return broken }
      guard isNew else { return nil }
      checked += 1
      for (place, velocity) in heard.keys.enumerated()
      where velocity > 0 && moment.synth.keys[place] != velocity {
        return "key \(place) sounds with \(velocity), the sender has \(moment.synth.keys[place])"
      }
      let differences = heard.differences(moment.synth)
      return differences.isEmpty ? nil : "packet \(number): \(differences)"
    }

    /// Checks that the sender played a note, and the receiver has not played it before.
    private mutating func press(
      _ channel: MIDIChannel, _ note: MIDIUInt7, _ velocity: MIDIUInt7, _ moment: Moment
    ) -> String? {
      let place = Int(channel.index) * 128 + Int(note.value)
      var press = moment.presses[place]
      while press > 0, RandomPlayer.velocity(ofPress: press) != velocity { press -= 1 }
      guard press > 0, moment.presses[place] - press < 127 else { return "note \(place) was invented" }
      guard press > played[place] else { return "note \(place) was doubled" }
      played[place] = press
      return nil
    }
  }

  private func run(seed: UInt64, loss: Double, notes: Int) -> Peers {
    var peers = Peers(seed: seed, loss: loss)
    var step = 0
    while peers.player.notes < notes {
      if let broken = peers.step(step) {
        Issue.record("seed \(seed), step \(step): \(broken)")
        break
      }
      step += 1
    }
    return peers
  }

  @Test("keeps every law with 10 % of the packets lost in bursts, and others late or duplicate")
  func laws() {
    let runs = 10
    for seed in 0..<UInt64(runs) {
      let peers = run(seed: seed, loss: 0.1, notes: noteCount / runs)
      let counts = peers.receiver.counts
      #expect(counts.lost > peers.checked / 20 && counts.late > peers.checked / 100)
      #expect(counts.repairs > peers.checked / 20)
      #expect(counts.malformed == 0 && counts.badJournals == 0 && counts.uncovered == 0)
      // Most notes of lost packets are played late.
      let sounded = peers.played.indices.filter { peers.played[$0] == peers.player.presses[$0] }.count
      #expect(sounded > peers.played.count / 2)
    }
  }

  @Test("changes nothing without loss")
  func withoutLoss() {
    let peers = run(seed: 99, loss: 0, notes: 5000)
    #expect(peers.receiver.counts.repairs == 0 && peers.receiver.counts.lost == 0)
    #expect(peers.checked > 1000)
    let last = peers.receiver.newest.flatMap { peers.moments[$0] }
    #expect(peers.played == last?.presses)
    #expect(peers.heard.keys == last?.synth.keys)
  }

  @Test("keeps every law with half of the packets lost")
  func manyLost() {
    _ = run(seed: 5, loss: 0.5, notes: 5000)
  }
}
