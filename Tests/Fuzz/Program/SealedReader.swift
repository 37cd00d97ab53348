import MoCore
import MoSessionCore

/// A locked room that receives one member's true datagrams and, between them, any input.
///
/// The room must accept exactly the member's messages, unchanged and once.
struct SealedReader {
  /// The latest datagrams in the room.
  private(set) var said: [[UInt8]] = []

  private var victim: RoomCipher
  private var friend: RoomCipher
  private var now = HostTime(seconds: 1000)
  private var count = 0
  /// The member's messages that the room has not accepted yet; older ones may be lost.
  private var waiting: [[UInt8]] = []

  /// Nil if libsodium is not installed.
  init?() {
    guard let key = try? RoomKey(passkey: "tolu-rake-bimo-sefa", room: "Lab"),
      let victim = try? RoomCipher(key),
      let friend = try? RoomCipher(key)
    else { return nil }
    (self.victim, self.friend) = (victim, friend)
    greet()
  }

  /// Makes the two answer each other's requests.
  private mutating func greet() {
    var toVictim = [say("hello")]
    for _ in 0..<4 {
      let toFriend = toVictim.flatMap { victim.open($0, at: now).replies }
      toVictim = toFriend.flatMap { friend.open($0, at: now).replies }
    }
    waiting = []
  }

  private mutating func say(_ text: String) -> [UInt8] {
    let text = Array(text.utf8)
    waiting.append(text)
    if waiting.count > 300 { waiting.removeFirst() }
    let sealed = friend.seal(text)
    if said.count < 32 { said.append(sealed) } else { said[count / 8 % 32] = sealed }
    return sealed
  }

  /// Gives an input to the room; returns nil, or the broken law.
  mutating func read(_ input: [UInt8]) -> String? {
    count += 1
    let opened = victim.open(input, at: now)
    guard opened.replies.count <= 2 else { return "a locked room answers more than it is asked" }
    if let text = opened.text, !take(text) { return "a locked room took what nobody in it said" }
    guard count % 8 == 0 else { return nil }
    now = now.advanced(bySeconds: 0.01)
    let sealed = say("note \(count)")
    // Sometimes a message is delayed, so that it can be mutated meanwhile.
    guard count % 16 == 0 else { return nil }
    guard let text = victim.open(sealed, at: now).text, take(text) else {
      return "a locked room does not hear its member any more"
    }
    return nil
  }

  private mutating func take(_ text: [UInt8]) -> Bool {
    guard let place = waiting.firstIndex(of: text) else { return false }
    waiting.remove(at: place)
    return true
  }
}
