import MoCore
import MoMu
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

@Suite("The automatic effects of a session", .serialized)
struct SessionCareTests {
  private func beat(take: UInt32) -> BeatClock {
    BeatClock(
      clock: SlewedClock(),
      timeline: Timeline.beginning(
        at: SessionTime(nanoseconds: 0), tempo: 120, meter: .common, bar: 1, countIn: 0, take: take))
  }

  @Test(
    "silence lasts until it is lifted, or the room is left; joining another part's rhythm does not end it"
  )
  func silence() {
    let care = SessionSideEffects()
    defer { MoAudio.isMuted = false }
    care.handle(.panic(from: MemberID(1)), beat(take: 1))
    #expect(MoAudio.isMuted)
    care.handle(.timeline, beat(take: 1))
    #expect(MoAudio.isMuted)
    for event in [SessionEvent.merged, .timeline] { care.handle(event, beat(take: 2)) }
    #expect(MoAudio.isMuted)
    care.handle(.panicLifted, beat(take: 2))
    #expect(!MoAudio.isMuted)

    care.handle(.panic(from: MemberID(1)), beat(take: 2))
    care.end(isSilent: false)
    #expect(!MoAudio.isMuted)
    care.handle(.panic(from: MemberID(1)), beat(take: 2))
    care.end(isSilent: true)
    #expect(MoAudio.isMuted)
  }

  @Test("a call for silence mutes the sound while an event callback has not returned")
  func slowCallback() throws {
    let run = Run(try RunOptions(arguments: ["--offline"]))
    let server = SessionServer()
    defer { MoAudio.isMuted = false }
    let wasMuted = Locked<[Bool]>([])
    server.events.add { [weak server] event in
      guard event == .started, let server else { return }
      _ = server.perform { core, now in core.callForSilence(now: now) }
      wasMuted.withLock { $0.append(MoAudio.isMuted) }
    }
    try server.join(JoinOptions(room: "Lab", name: "Ada", program: "test"), in: run)
    try server.request(isStart: true) { core, now throws(SessionRefusal) in
      try core.start(.init(), now: now)
    }
    #expect(wasMuted.withLock { $0 } == [true])
    server.leave()
    #expect(!MoAudio.isMuted)
  }

  @Test("plays at the section's level, and at full level after leaving the room")
  func level() {
    let care = SessionSideEffects()
    defer { MoAudio.level = 1 }
    care.handle(.level(0.25), beat(take: 1))
    #expect(MoAudio.level == 0.25)
    care.handle(.timeline, beat(take: 2))
    #expect(MoAudio.level == 0.25)
    care.end(isSilent: true)
    #expect(MoAudio.level == 0.25)
    care.end(isSilent: false)
    #expect(MoAudio.level == 1)
  }
}
