import MoCore
import MoInstruments
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

/// The tests that join a room: a process can be in a single room at a time.
@Suite("A room joined offline", .serialized)
struct OfflineRoomTests {
  @Suite("A shared instrument")
  struct SharedInstrumentTests {
    @Test("a shared instrument is released when its sharing has ended")
    func release() throws {
      var options = RunOptions()
      options.offline = true
      let run = Run(options)
      try SessionServer.shared.join(JoinOptions(room: "Lab", isKept: false), in: run)
      defer { SessionServer.shared.leave() }
      weak var slot: InstrumentSlot?
      do {
        let handle = InstrumentHandle(TypedInstrumentSlot(Probe(), sampleRate: 48_000))
        slot = handle.slot
        let token = try handle.share(in: run)
        #expect(slot != nil)
        token.cancel()
      }
      #expect(slot == nil)
      run.end()
    }
  }

  @Test("a shared setting that changes while its cells are reported is reported after them")
  func sharedOrder() throws {
    let run = Run(try RunOptions(arguments: ["--offline"]))
    let session = SessionServer.shared
    try session.join(JoinOptions(room: "Lab", isKept: false), in: run)
    defer { session.leave() }
    func edit(_ key: Int64, _ value: UInt16, count: UInt32) -> SharedEdit {
      SharedEdit(key: key, cell: SharedCell(value: value, count: count, author: 1))
    }
    let (first, second, newer) = (edit(1, 10, count: 1), edit(2, 20, count: 1), edit(2, 30, count: 2))
    for edit in [first, second] { try MoSession.share("tuning", edit) }
    let now = run.clock.now
    let later = now.advanced(bySeconds: 1)
    let reported = Locked<[(edit: SharedEdit, time: HostTime)]>([])
    let token = MoSession.onShared("tuning") { edit, time in
      reported.withLock { $0.append((edit, time)) }
      guard edit == first else { return }
      let play = SessionPlay.cells(SharedEdits("tuning", [newer]))
      session.heard.call(SessionHeard(from: MemberID(1), play: play, time: later))
    }
    token.cancel()
    #expect(reported.withLock { $0.map(\.edit) } == [first, second, newer])
    #expect(reported.withLock { $0.map(\.time) } == [now, now, later])
  }
}
