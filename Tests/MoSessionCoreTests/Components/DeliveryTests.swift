import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Delivery by itself")
struct DeliveryTests {
  private static func pitches(_ out: inout Effects) -> [Float] {
    out.removeAll().compactMap { effect in
      guard case .due(let due) = effect, case .note(let note) = due.play else { return nil }
      return note.pitch
    }
  }

  @Test("over a link that loses, duplicates and reorders, every play is delivered once and in order")
  func lossyLink() {
    for seed in UInt64(1)...20 {
      var chance = SimulatedChance(seed: seed)
      var room = ComponentRoom(2)
      var ends = [Delivery(), Delivery()]
      var inTransit: [(due: HostTime, to: Int, message: SessionMessage)] = []
      var received: [Float] = []
      for step in 0..<800 {
        room.pass(0.01)
        if step % 10 == 0, step < 300 {
          var out = Effects()
          let note = SessionPlay.note(SessionNote(pitch: Float(step / 10)))
          let refused = ends[0].play(
            note, to: [room.ids[1]], stamp: nil, isForAll: false, room.view(0), &out)
          #expect(refused == 0)
        }
        for index in 0..<2 {
          var out = Effects()
          ends[index].send(room.view(index), &out)
          for (_, message) in out.datagrams() where chance.unit() > 0.3 {
            for _ in 0..<(chance.unit() < 0.2 ? 2 : 1) {
              inTransit.append((room.now.advanced(bySeconds: 0.05 * chance.unit()), 1 - index, message))
            }
          }
        }
        let arrived = inTransit.filter { $0.due <= room.now }
        inTransit.removeAll { $0.due <= room.now }
        for (_, to, message) in arrived {
          var out = Effects()
          switch message {
          case .play(let play): ends[to].receive(play, room.view(to), &out)
          case .got(let acks): ends[to].receive(acks, room.view(to), &out)
          default: Issue.record("seed \(seed): \(message)")
          }
          if to == 1 { received += Self.pitches(&out) }
        }
      }
      #expect(received == (0..<30).map(Float.init), "seed \(seed)")
      #expect(ends[0].windows.values.allSatisfy { $0.waiting.isEmpty }, "seed \(seed)")
    }
  }

  @Test("messages that a vanished member has not received are reported once, with its name")
  func loss() {
    var room = ComponentRoom(2)
    room.pass(1)
    var (delivery, out) = (Delivery(), Effects())
    for _ in 0..<3 {
      _ = delivery.play(
        .hit(SessionHit(force: 1)), to: [room.ids[1]], stamp: nil, isForAll: false, room.view(0), &out)
    }
    delivery.forget(room.ids[1], withGoodbye: false, room.view(0), &out)
    let losses = out.removeAll().compactMap { effect -> SessionLoss? in
      if case .event(.undelivered(let loss)) = effect { loss } else { nil }
    }
    #expect(losses.map(\.name) == ["p2"])
    #expect(losses.map(\.counts) == [[.hit: 3]])
    #expect(out.counts.undelivered == 3)
    #expect(delivery.losses.isEmpty)
  }
}
