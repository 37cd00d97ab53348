import MoCore
import MoMu
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

@Suite("The automatic effects of a session", .serialized)
struct SessionSideEffectsTests {
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
    let effects = SessionSideEffects()
    defer { AudioServer.shared.isRoomMuted = false }
    effects.handle(.panic(from: MemberID(1)), beat(take: 1))
    #expect(AudioServer.shared.isRoomMuted)
    effects.handle(.timeline, beat(take: 1))
    #expect(AudioServer.shared.isRoomMuted)
    for event in [SessionEvent.merged, .timeline] { effects.handle(event, beat(take: 2)) }
    #expect(AudioServer.shared.isRoomMuted)
    effects.handle(.panicLifted, beat(take: 2))
    #expect(!AudioServer.shared.isRoomMuted)

    effects.handle(.panic(from: MemberID(1)), beat(take: 2))
    effects.end(isSilent: false)
    #expect(!AudioServer.shared.isRoomMuted)
    effects.handle(.panic(from: MemberID(1)), beat(take: 2))
    effects.end(isSilent: true)
    #expect(AudioServer.shared.isRoomMuted)
  }

  @Test("a call for silence mutes the sound while an event callback has not returned")
  func slowCallback() throws {
    let run = Run(try RunOptions(arguments: ["--offline"]))
    let server = SessionServer()
    defer { AudioServer.shared.isRoomMuted = false }
    let wasMuted = Locked<[Bool]>([])
    server.events.add { [weak server] event in
      guard event == .started, let server else { return }
      _ = server.perform { core, now in core.callForSilence(now: now) }
      wasMuted.withLock { $0.append(AudioServer.shared.isRoomMuted) }
    }
    try server.join(JoinOptions(room: "Lab", name: "Ada", program: "test"), in: run)
    try server.request(isStart: true) { core, now throws(SessionRefusal) in
      try core.start(.init(), now: now)
    }
    #expect(wasMuted.withLock { $0 } == [true])
    server.leave()
    #expect(!AudioServer.shared.isRoomMuted)
  }

  @Test("plays at the section's level, and at full level after leaving the room")
  func level() {
    let effects = SessionSideEffects()
    defer { AudioServer.shared.roomLevel = 1 }
    effects.handle(.level(0.25), beat(take: 1))
    #expect(AudioServer.shared.roomLevel == 0.25)
    effects.handle(.timeline, beat(take: 2))
    #expect(AudioServer.shared.roomLevel == 0.25)
    effects.end(isSilent: true)
    #expect(AudioServer.shared.roomLevel == 0.25)
    effects.end(isSilent: false)
    #expect(AudioServer.shared.roomLevel == 1)
  }

  @Test("changes neither the mute nor the level that the program has set")
  func ownSettings() {
    let effects = SessionSideEffects()
    defer { (MoAudio.isMuted, MoAudio.level) = (false, 1) }
    (MoAudio.isMuted, MoAudio.level) = (true, 0.25)
    for event in [SessionEvent.panic(from: MemberID(1)), .level(0.5), .panicLifted] {
      effects.handle(event, beat(take: 1))
      #expect(MoAudio.isMuted && MoAudio.level == 0.25)
    }
    effects.end(isSilent: false)
    #expect(MoAudio.isMuted && MoAudio.level == 0.25)
  }
}
