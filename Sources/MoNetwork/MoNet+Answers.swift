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
  /// use the answers to flood a forged sender address with more data than the attacker sends.
  ///
  /// - Returns: a token; `cancel()` ends the answers.
  /// - Thread: any.
  @discardableResult
  public static func answerPings() -> MoToken {
    let lastAnswered = Locked(HostTime.distantPast)
    return on(pingAddress) { (ping: NetMessage) in
      // A pattern that is shorter than the answer's address matches this callback, too. The messages of one datagram
      // share their arrival. So do messages that were read from a connection together, but there the sender is not
      // forged.
      guard ping.address == pingAddress,
        ping.isFromStream || lastAnswered.withLock({ $0.exchange(for: ping.arrival) })
      else { return }
      try? ping.reply(.message(OSCMessage(pongAddress, ping.arguments)))
    }
  }
}

extension HostTime {
  /// Replaces the time with `other`; returns whether the two times differ.
  fileprivate mutating func exchange(for other: HostTime) -> Bool {
    defer { self = other }
    return self != other
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
  /// An answer is shorter than its request, and goes to the request's sender.
  ///
  /// - Returns: a token; `cancel()` ends the answers.
  /// - Thread: any.
  @discardableResult
  public static func answerRigs() -> MoToken {
    let run = Int64.random(in: 1...1 << 52)
    let senders = Locked(RigSenders())
    return on(confirmAddress) { (request: NetMessage) in
      guard request.address == confirmAddress, request.arguments.count == 4, request.arguments[0].text != nil,
        let rig = request.arguments[3].number.flatMap({ Int64(exactly: $0) })
      else { return }
      let known = senders.withLock { $0.senders(of: rig, with: request.sender) }
      let counts = known.compactMap { NetServer.shared.inbound.received(from: $0) }
      var values = Array(request.arguments.prefix(2))
      // Of too many senders some are not counted apart. Such a rig hears only that this program lives.
      if counts.count == known.count { values += [.int64(Int64(counts.reduce(0, +))), .int64(run)] }
      try? request.reply(.message(OSCMessage(seenAddress, values)))
    }
  }
}

/// The addresses from which each run of a rig has sent: a rig that connects again after an outage sends from another
/// port.
///
/// A run is the time from a start of the rig's program to its end. At most 64 runs are stored, with 256 addresses each;
/// a further run replaces the oldest run.
struct RigSenders {
  private var runs: [(run: Int64, senders: [NetAddress])] = []

  private static let (mostRuns, mostSenders) = (64, 256)

  /// Adds the address `sender` to those of a run, unless the run already has this address or 256 others.
  ///
  /// - Returns: all addresses of that run.
  mutating func senders(of run: Int64, with sender: NetAddress) -> [NetAddress] {
    guard let place = runs.firstIndex(where: { $0.run == run }) else {
      if runs.count >= Self.mostRuns { runs.removeFirst() }
      runs.append((run, [sender]))
      return [sender]
    }
    if !runs[place].senders.contains(sender), runs[place].senders.count < Self.mostSenders {
      runs[place].senders.append(sender)
    }
    return runs[place].senders
  }
}
