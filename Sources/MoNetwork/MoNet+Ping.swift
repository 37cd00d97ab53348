import MoCore
import MoOSC

extension MoNet {
  /// What `momu osc ping` sends: a number, and the sender's time, which only the sender understands.
  public static let pingAddress = "/momu/ping"
  /// What comes back, with the same values.
  public static let pongAddress = "/momu/pong"

  /// Answers pings from now on, so that `momu osc ping` can measure the way to this program.
  ///
  /// An answer is never larger than what it answers, and there is at most one to a datagram: a sender whose
  /// address is forged gains nothing.
  ///
  /// - Returns: a token; `cancel()` ends the answers.
  /// - Thread: any.
  @discardableResult
  public static func answerPings() -> MoToken {
    let lastAnswered = Locked(HostTime.distantPast)
    return on(pingAddress) { (ping: NetMessage) in
      // A pattern that is shorter than the answer's address reaches this, too; the messages of one datagram share
      // their arrival, as do those that were read from a connection at once, whose sender is no forgery.
      guard ping.address == pingAddress,
        ping.isFromStream || lastAnswered.withLock({ $0.exchange(for: ping.arrival) })
      else { return }
      try? ping.reply(.message(OSCMessage(pongAddress, ping.arguments)))
    }
  }
}

extension HostTime {
  /// Takes another value; whether it was another.
  fileprivate mutating func exchange(for other: HostTime) -> Bool {
    defer { self = other }
    return self != other
  }
}
