import MoCore
import MoInstruments
import MoOrchestra
import MoRuntime
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
}
