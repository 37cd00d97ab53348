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
