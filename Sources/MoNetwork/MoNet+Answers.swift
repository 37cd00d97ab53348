import MoCore
import MoOSC

extension MoNet {
  /// The address to which `momu osc ping` sends.
  ///
  /// The values of a ping are the ping's number, and the time of sending by the sender's clock, which only the sender
  /// understands.
  public static let pingAddress = "/momu/ping"
  /// The address of the answer to a ping; the answer repeats the ping's values.
  public static let pongAddress = "/momu/pong"

  /// Makes this program answer pings from now on, so that `momu osc ping` can measure the network path to it.
  ///
  /// An answer is never larger than its request, and there is at most one answer per datagram. So an attacker cannot
  /// use the answers to flood a forged sender address with more data than the attacker sends. A ping by datagram with a
  /// time tag in the future gets no answer.
  ///
  /// - Returns: a token; `cancel()` ends the answers.
  /// - Thread: any.
  @discardableResult
  public static func answerPings() -> MoToken {
    let answers = PingAnswers()
    return on(pingAddress) { (ping: NetMessage) in
      if let pong = answers.answer(to: ping) { try? ping.reply(pong) }
    }
  }
}

/// The answers to pings.
package final class PingAnswers: Sendable {
  private let limit = AnswerLimit()

  package init() {}

  /// Returns the answer to a ping; nil if the ping gets none.
  package func answer(to ping: NetMessage) -> OSCPacket? {
    // A pattern that is shorter than the answer's address matches the callback, too.
    guard ping.address == MoNet.pingAddress else { return nil }
    return limit.packet(OSCMessage(MoNet.pongAddress, ping.arguments), answering: ping)
  }
}

/// The limit of the answers: at most one for each datagram, and none that is longer than its request.
private final class AnswerLimit: Sendable {
  private let lastAnswered = Locked(HostTime.distantPast)

  /// Returns the packet of an answer; nil if the request may get no answer.
  func packet(_ answer: OSCMessage, answering request: NetMessage) -> OSCPacket? {
    guard request.isFromStream || isFirst(request) else { return nil }
    let packet = OSCPacket.message(answer)
    // A text that is not UTF-8 becomes longer when it is read.
    guard let bytes = try? packet.encoded(), bytes.count <= request.length else { return nil }
    return packet
  }

  /// Whether the request is the first of its datagram.
  ///
  /// The messages of one datagram share their arrival, and are delivered one after another. This is not so for
  /// messages with time tags in the future: they wait, and then mix with the messages of other datagrams. Messages that
  /// were read from a connection together also share their arrival, but there the sender is not forged.
  private func isFirst(_ request: NetMessage) -> Bool {
    guard request.time <= request.arrival else { return false }
    return lastAnswered.withLock { last in
      defer { last = request.arrival }
      return last != request.arrival
    }
  }
}

extension MoNet {
  /// The address to which a rig with `confirm = yes` sends requests for the count of its messages that arrived.
  ///
  /// The values of a request are the rig's name, the request's number, the count of messages that the rig has sent,
  /// and a random number that identifies the rig's run.
  public static let confirmAddress = "/momu/rig/confirm"
  /// The address of the answer to a rig's request at `confirmAddress`.
  ///
  /// The values are the rig's name and the request's number, the count of messages received from this run of the rig,
  /// and a random number that identifies this program's run. If this program has too many senders to count the rig's
  /// messages separately, the answer contains only the name and the request's number.
  public static let seenAddress = "/momu/rig/seen"

  /// Makes this program answer the requests of rigs from now on: an answer says how many of the rig's messages have
  /// arrived.
  ///
  /// An answer is shorter than its request, and goes to the request's sender. As for pings, there is at most one answer
  /// per datagram, and none to a datagram's request with a time tag in the future.
  ///
  /// - Returns: a token; `cancel()` ends the answers.
  /// - Thread: any.
  @discardableResult
  public static func answerRigs() -> MoToken {
    let answers = RigAnswers()
    return on(confirmAddress) { (request: NetMessage) in
      let seen = answers.answer(to: request) { NetServer.shared.inbound.received(from: $0) }
      if let seen { try? request.reply(seen) }
    }
  }
}

/// The answers to the requests of rigs.
package final class RigAnswers: Sendable {
  private let run = Int64.random(in: 1...1 << 52)
  private let senders = Locked(RigSenders())
  private let limit = AnswerLimit()

  package init() {}

  /// Returns the answer to a request; nil if the request gets none.
  ///
  /// - Parameter received: returns the number of messages received from an address; nil if they are not counted.
  package func answer(to request: NetMessage, received: (NetAddress) -> Int?) -> OSCPacket? {
    let values = request.arguments
    // With other types, such as T, a request would be shorter than its answer.
    guard request.address == MoNet.confirmAddress, values.count == 4, case .string = values[0],
      case .int64 = values[1], case .int64 = values[2], case .int64(let rig) = values[3]
    else { return nil }
    var seen = Array(values.prefix(2))
    // Too many senders are not all counted separately. The answer then shows only that this program runs.
    if let known = senders.withLock({ $0.senders(of: rig, with: request.sender) }) {
      let counts = known.compactMap(received)
      if counts.count == known.count { seen += [.int64(Int64(counts.reduce(0, +))), .int64(run)] }
    }
    return limit.packet(OSCMessage(MoNet.seenAddress, seen), answering: request)
  }
}

/// The addresses from which each run of a rig has sent: a rig that connects again after an outage sends from another
/// port.
///
/// A run is the time from a start of the rig's program to its end. At most 64 runs are stored, with 256 addresses each;
/// a further run replaces the oldest run.
package struct RigSenders {
  private var runs: [(run: Int64, senders: [NetAddress])] = []

  package init() {}

  private static let (mostRuns, mostSenders) = (64, 256)

  /// Adds the address `sender` to those of a run, unless the run already has this address or 256 others.
  ///
  /// - Returns: all addresses of that run; nil if the run has 256 other addresses.
  package mutating func senders(of run: Int64, with sender: NetAddress) -> [NetAddress]? {
    guard let place = runs.firstIndex(where: { $0.run == run }) else {
      if runs.count >= Self.mostRuns { runs.removeFirst() }
      runs.append((run, [sender]))
      return [sender]
    }
    if !runs[place].senders.contains(sender) {
      guard runs[place].senders.count < Self.mostSenders else { return nil }
      runs[place].senders.append(sender)
    }
    return runs[place].senders
  }
}
