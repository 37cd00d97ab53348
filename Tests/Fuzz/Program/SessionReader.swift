import MoCore
import MoSessionCore

/// A member of a room that receives another's true datagrams and, between them, any input.
///
/// The datagrams of the two are the best inputs to mutate, since their identities, numbers and times are valid.
struct SessionReader {
  /// The latest datagrams in the room.
  private(set) var said: [[UInt8]] = []

  private var victim: SessionCore
  private var friend: SessionCore
  private var now = HostTime(seconds: 1000)
  private var count = 0
  private var room: UInt64 = 0

  /// After this number of inputs the roster is full of strangers, so the member enters a new room.
  private static let inputs = 3000

  init() {
    (victim, friend) = (Self.member(1, at: now), Self.member(2, at: now))
  }

  private static func member(_ number: UInt64, at now: HostTime) -> SessionCore {
    let identity = SessionIdentity(
      member: MemberID(number << 32 | 7), installation: MemberID(number), name: "Ada", program: "fuzz",
      release: "1")
    return SessionCore(SessionCore.Settings(room: "Lab", identity: identity), now: now)
  }

  /// Gives an input to the member; returns nil, or the broken law.
  mutating func read(_ input: [UInt8]) -> String? {
    count += 1
    if count % Self.inputs == 0 {
      room += 2
      (victim, friend) = (Self.member(room + 1, at: now), Self.member(room + 2, at: now))
    }
    let from = SessionEndpoint(high: 9, port: UInt16(1 + count % 50))
    victim.receive(input, from: from, at: now, now: now)
    guard count % 8 == 0 else { return nil }
    now = now.advanced(bySeconds: count % 5000 == 0 ? 3 : 0.01)
    switch count % 4000 {
    case 400:
      _ = try? friend.play(.hit(SessionHit(force: 1)), to: .crowd(.others), at: .next(.sixteenth), now: now)
    case 600: friend.setActivity(Float(count % 7) / 7, now: now)
    case 800: try? friend.start(.init(), now: now)
    case 1000:
      let melody = SessionMelody(beats: 4, [SessionMelody.Note(beat: 0, length: 1, pitch: 60)])
      _ = try? friend.play(.melody(melody), to: .crowd(.others), now: now)
    case 1200:
      let cell = SharedCell(value: 1, count: UInt32(count), author: 1)
      try? friend.share(SharedEdits("drums", [SharedEdit(key: 1, cell: cell)]), now: now)
    case 1400: _ = try? friend.play(.change(SessionChange("wild", 1)), to: .crowd(.others), now: now)
    case 1600: try? victim.start(.init(), now: now)
    case 1800:
      friend.callForSilence(now: now)
      guard friend.isSilenced else { return "a call for silence does nothing" }
    case 1840: try? friend.liftSilence(now: now)
    case 1880: try? friend.askForBaton(now: now)
    case 1920:
      victim.callForSilence(now: now)
      guard victim.isSilenced else { return "a call for silence does nothing, after what came" }
      try? victim.start(.init(), now: now)
    case 2000: try? friend.setGates(.monarchic(MemberID(1)), now: now)
    case 2400: victim.clockStepped(at: now)
    case 3200: victim.ask(anyRoom: true)
    default: break
    }
    for _ in 0..<2 {
      victim.tick(at: now)
      friend.tick(at: now)
      let outgoing = victim.drainOutgoing()
      guard outgoing.count < 3000 else { return "a session answers without bounds" }
      for datagram in noted(outgoing) {
        friend.receive(datagram, from: SessionEndpoint(high: 1, port: 1), at: now, now: now)
      }
      for datagram in noted(friend.drainOutgoing()) {
        victim.receive(datagram, from: SessionEndpoint(high: 2, port: 2), at: now, now: now)
      }
    }
    return law()
  }

  private mutating func noted(_ outgoing: [Outgoing]) -> [[UInt8]] {
    for one in outgoing {
      if said.count < 64 { said.append(one.datagram) } else { said[count / 8 % 64] = one.datagram }
    }
    return outgoing.map(\.datagram)
  }

  /// All state that a program can read from a session is printable and bounded.
  private mutating func law() -> String? {
    // One tick may request another immediately, but not a third.
    victim.tick(at: now)
    victim.tick(at: now)
    _ = (victim.drainOutgoing(), victim.drainEvents(), friend.drainEvents())
    guard victim.nextTick > now else { return "a session wants to be woken in the past" }
    for heard in victim.drainHeard() where heard.late < 0 || !(0...1).contains(heard.weight) {
      return "something that was played is heard in no way it can be"
    }
    _ = (friend.drainHeard(), victim.sections, victim.pattern(at: now))
    guard victim.roster(at: now).count <= 257 else { return "the roster has no end" }
    guard victim.otherRooms.count <= 64 else { return "the list of rooms has no end" }
    guard victim.missing(at: now).count <= 512 else { return "the list of the missing has no end" }
    _ = (victim.lostContact(at: now), victim.announced, victim.mutedSections)
    _ = victim.beatClock.position(at: now)
    _ = victim.beatClock.time(of: .bar, from: now)
    guard victim.errorBound(at: now) >= 0 else { return "an error bound is no bound" }
    return nil
  }
}
