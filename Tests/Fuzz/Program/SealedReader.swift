import MoCore
import MoSessionCore

/// A locked room that hears one member's true datagrams and, between them, whatever comes.
///
/// What is taken must be what the member has said, word for word and once.
struct SealedReader {
  /// The last that was said in the room.
  private(set) var said: [[UInt8]] = []

  private var victim: RoomCipher
  private var friend: RoomCipher
  private var now = HostTime(seconds: 1000)
  private var count = 0
  /// What the member has said and nobody has taken yet; older things may be lost.
  private var waiting: [[UInt8]] = []

  /// Nil where libsodium is not installed.
  init?() {
    guard let key = try? RoomKey(passkey: "tolu-rake-bimo-sefa", room: "Lab"),
      let victim = try? RoomCipher(key),
      let friend = try? RoomCipher(key)
    else { return nil }
    (self.victim, self.friend) = (victim, friend)
    greet()
  }

  /// Has the two answer each other's questions.
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

  /// Gives an input to the room; nil, or the law that no longer holds.
  mutating func read(_ input: [UInt8]) -> String? {
    count += 1
    let opened = victim.open(input, at: now)
    guard opened.replies.count <= 2 else { return "a locked room answers more than it is asked" }
    if let text = opened.text, !take(text) { return "a locked room took what nobody in it said" }
    guard count % 8 == 0 else { return nil }
    now = now.advanced(bySeconds: 0.01)
    let sealed = say("note \(count)")
    // Sometimes it is on its way for a while, for what comes to be made of it.
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
