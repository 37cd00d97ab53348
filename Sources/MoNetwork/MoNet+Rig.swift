import MoCore
import MoOSC

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
