import MoCore
import MoOSC

/// Asks a receiver how many messages have arrived, and adds up what it says.
///
/// `/momu/rig/confirm ,shhh` holds the rig's name, a number, messages so far with this one, and the rig's run. The answer
/// `/momu/rig/seen ,shhh` holds the name and the number again, the messages that came from this run of the rig, and the
/// receiver's run. These messages came by any of the rig's connections. A receiver that counts nothing leaves the last two
/// out.
struct Confirmation: Sendable {
  private let rig: String
  private let run: Int64
  private var number: Int64 = 0
  /// The requests that may still be answered: messages so far, by number.
  private var asked: [Int64: (messages: Int, time: HostTime)] = [:]
  /// What each run of the receiver has said.
  private var seen: [Count] = []
  private(set) var lastAsked: HostTime?
  private(set) var lastAnswer: HostTime?
  /// Of the messages up to the latest request that was answered: how many there were, and how many arrived.
  private(set) var settled: (messages: Int, arrived: Int)?

  private struct Count {
    let run: Int64
    var messages: Int
  }

  /// Seconds between two requests.
  static let pause = 1.0
  private static let mostAsked = 16

  init(rig: String, run: Int64 = .random(in: 1...1 << 52)) { (self.rig, self.run) = (rig, run) }

  /// How many messages arrived, by the receiver's own count; nil while it has told none.
  var arrived: Int? { seen.isEmpty ? nil : seen.reduce(0) { $0 + $1.messages } }

  /// The next request.
  ///
  /// - Parameter messages: how many there were so far, this one among them.
  mutating func request(messages: Int, now: HostTime) -> OSCMessage {
    number += 1
    lastAsked = now
    asked[number] = (messages, now)
    if asked.count > Self.mostAsked, let oldest = asked.keys.min() { asked[oldest] = nil }
    return OSCMessage(
      "/momu/rig/confirm", [.string(rig), .int64(number), .int64(Int64(messages)), .int64(run)])
  }

  /// Takes an answer; false where the packet is none to a request of ours.
  mutating func take(_ packet: [UInt8], now: HostTime) -> Bool {
    guard case .message(let message)? = try? OSCPacket(bytes: packet), message.address == "/momu/rig/seen",
      message.arguments.count >= 2, message.arguments[0].text == rig,
      let answered = message.arguments[1].number.flatMap({ Int64(exactly: $0) }),
      let request = asked[answered]
    else { return false }
    asked = asked.filter { $0.key > answered }
    lastAnswer = now
    guard message.arguments.count >= 4, let count = message.arguments[2].number.flatMap({ Int(exactly: $0) }),
      let run = message.arguments[3].number.flatMap({ Int64(exactly: $0) }), count >= 0
    else { return true }
    if let place = seen.firstIndex(where: { $0.run == run }) {
      seen[place].messages = max(seen[place].messages, count)
    } else {
      // A receiver that begins again each second must not fill the memory: the oldest become a sum.
      if seen.count >= 64 {
        seen[1].messages += seen[0].messages
        seen.removeFirst()
      }
      seen.append(Count(run: run, messages: count))
    }
    settled = (request.messages, arrived ?? 0)
    return true
  }
}
