import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Sharing by itself")
struct SharingTests {
  @Test("changes that arrive in any order, some twice, leave the same cells and the same digest everywhere")
  func convergence() {
    for seed in UInt64(1)...40 {
      var chance = SimulatedChance(seed: seed)
      var room = ComponentRoom(3)
      room.pass(1)
      var stores = room.ids.map { _ in Sharing() }
      var changes: [(from: Int, edits: SharedEdits)] = []
      for _ in 0..<30 {
        let (index, key) = (Int(chance.next() % 3), Int64(chance.next() % 8))
        let old = stores[index].store["drums", key]
        let cell = old.changed(to: UInt16(chance.next() % 100), by: UInt16(index + 1))
        let edits = SharedEdits("drums", [SharedEdit(key: key, cell: cell)])
        var out = Effects()
        try? stores[index].share(edits, by: room.ids[index], at: room.now, &out)
        changes.append((index, edits))
      }
      for index in 0..<3 {
        for change in (changes + changes.prefix(10)).shuffled(using: &chance) where change.from != index {
          var out = Effects()
          let id = room.ids[change.from]
          _ = stores[index].receive(change.edits, from: id, room.view(index), at: room.now, &out)
        }
      }
      #expect(Set(stores.map { $0.store.digest }).count == 1, "seed \(seed)")
      #expect(Set(stores.map { $0.store.edits(of: "drums") }).count == 1, "seed \(seed)")
    }
  }

  @Test(
    "a newcomer asks the keeper for what it lacks, and tells the keeper what that lacks; both at bounded rates"
  )
  func repair() throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var (keeper, newcomer, out) = (Sharing(), Sharing(), Effects())
    let cell = SharedCell(value: 1, count: 1, author: 7)
    try keeper.share(
      SharedEdits("drums", [SharedEdit(key: 1, cell: cell)]), by: room.ids[0], at: room.now, &out)
    _ = out.removeAll()
    var asked = 0
    for _ in 0..<100 {
      room.pass(0.1)
      let lacks = newcomer.compare(keeper.store.digest, of: room.ids[0], room.view(1), &out)
      #expect(lacks.isEmpty || asked > 0)
      asked += out.datagrams().count
    }
    #expect((1...12).contains(asked), "\(asked) questions in ten seconds")
    #expect(keeper.answer(room.ids[1], at: room.now, &out).count == 1)
    #expect(keeper.answer(room.ids[1], at: room.now, &out).isEmpty)
    #expect(out.counts.unwanted == 1)
  }

  @Test("repairs a member's cells within five seconds after the last of many changes")
  func repairAfterChanges() {
    var room = ComponentRoom(2)
    room.pass(1)
    var (member, out) = (Sharing(), Effects())
    var asked: [Double] = []
    func compare(_ digest: UInt64, at seconds: Double) {
      room.pass(0.5)
      asked += member.compare(digest, of: room.ids[0], room.view(1), &out).isEmpty ? [] : [seconds]
      asked += out.datagrams().map { _ in seconds }
    }
    for step in 1...80 { compare(UInt64(step), at: Double(step) / 2) }
    let whileChanging = asked.count
    for step in 81...400 { compare(80, at: Double(step) / 2) }
    #expect(whileChanging <= 10, "\(whileChanging) requests in 40 s of changes")
    #expect(asked.contains { $0 > 40 && $0 <= 45 }, "\(asked)")
    let late = asked.filter { $0 > 45 }.count
    #expect((1...12).contains(late), "\(late) requests in 155 s without a change")
  }
}
