import MoCore
import MoOSC

/// The exchange by which a rig asks a receiver how many of the rig's messages have arrived.
///
/// The request `/momu/rig/confirm ,shhh` has four values: the rig's name, the request's number, the number of messages
/// so far including this one, and a random number that identifies this run of the rig's program. The answer
/// `/momu/rig/seen ,shhh` repeats the name and the request's number. Then follow the number of messages received from
/// this run of the rig, by all its connections, and a number that identifies the run of the receiver's program. A
/// receiver that does not count leaves the last two values out. Later counts are then not used: the messages that the
/// receiver did not count would seem lost.
package struct Confirmation: Sendable {
  /// The rig's name in requests and answers.
  var rig: String
  private let run: Int64
  private var number: Int64 = 0
  /// The requests without an answer, by the request's number: the number of messages up to the request, and the time of
  /// the request.
  private var asked: [Int64: (messages: Int, time: HostTime)] = [:]
  /// For each run of the receiver's program, the number of messages that it has received.
  private var seen: [Count] = []
  private(set) var lastAsked: HostTime?
  package private(set) var lastAnswer: HostTime?
  /// The state at the latest answered request: the number of messages up to this request, and the number of messages
  /// that arrived.
  ///
  /// Nil before the first answer with a count, and after an answer without a count.
  package private(set) var settled: (messages: Int, arrived: Int)?
  /// Whether the receiver has sent an answer without a count.
  private var isUncounted = false

  private struct Count {
    let run: Int64
    var messages: Int
  }

  /// Seconds between two requests.
  static let pause = 1.0
  private static let mostAsked = 16

  package init(rig: String, run: Int64 = .random(in: 1...1 << 52)) { (self.rig, self.run) = (rig, run) }

  /// The number of messages that arrived, by the receiver's count; nil if the receiver has sent no count, or an answer
  /// without a count.
  package var arrived: Int? { seen.isEmpty ? nil : seen.reduce(0) { $0 + $1.messages } }

  /// Returns the next request.
  ///
  /// - Parameter messages: the number of messages to the receiver so far, including this request.
  package mutating func request(messages: Int, now: HostTime) -> OSCMessage {
    number += 1
    lastAsked = now
    asked[number] = (messages, now)
    if asked.count > Self.mostAsked, let oldest = asked.keys.min() { asked[oldest] = nil }
    return OSCMessage(
      "/momu/rig/confirm", [.string(rig), .int64(number), .int64(Int64(messages)), .int64(run)])
  }

  /// Handles a received packet; returns false if the packet does not answer a request of this rig.
  package mutating func receive(_ packet: [UInt8], now: HostTime) -> Bool {
    guard case .message(let message)? = try? OSCPacket(bytes: packet), message.address == "/momu/rig/seen",
      message.arguments.count >= 2, message.arguments[0].text == rig,
      let answered = message.arguments[1].number.flatMap({ Int64(exactly: $0) }),
      let request = asked[answered]
    else { return false }
    asked = asked.filter { $0.key > answered }
    lastAnswer = now
    guard !isUncounted, message.arguments.count >= 4,
      let count = message.arguments[2].number.flatMap({ Int(exactly: $0) }),
      let run = message.arguments[3].number.flatMap({ Int64(exactly: $0) }), count >= 0
    else {
      (isUncounted, settled, seen) = (true, nil, [])
      return true
    }
    let place = seen.firstIndex { $0.run == run }
    let known = place.map { seen[$0].messages } ?? 0
    // A wrong count must not make the sum larger than the number of messages, or overflow it.
    let most = request.messages - ((arrived ?? 0) - known)
    let messages = max(known, min(count, most))
    if let place {
      seen[place].messages = messages
    } else {
      // A receiver that restarts each second must not fill the memory: the oldest counts are added up.
      if seen.count >= 64 {
        seen[1].messages += seen[0].messages
        seen.removeFirst()
      }
      seen.append(Count(run: run, messages: messages))
    }
    settled = (request.messages, arrived ?? 0)
    return true
  }
}
