import MoCore
import MoOSC

extension MoNet {
  /// The address to which a rig with `confirm = yes` sends its requests.
  ///
  /// The values are its name, a number, the count of messages it has sent, and its run.
  public static let confirmAddress = "/momu/rig/confirm"
  /// The address of the answer to a rig.
  ///
  /// The values are the same name and number, the count of messages received from the rig, and this program's run.
  public static let seenAddress = "/momu/rig/seen"

  /// Answers rigs from now on, on request, with the number of their messages that have arrived.
  ///
  /// An answer is shorter than its request, and goes to the request's sender.
  ///
  /// - Returns: a token; `cancel()` ends the answers.
  /// - Thread: any.
  @discardableResult
  public static func answerRigs() -> MoToken {
    let run = Int64.random(in: 1...1 << 52)
    return on(confirmAddress) { (request: NetMessage) in
      guard request.address == confirmAddress, request.arguments.count == 4, request.arguments[0].text != nil,
        let count = NetServer.shared.inbound.received(from: request.sender)
      else { return }
      let values = Array(request.arguments.prefix(2)) + [.int64(Int64(count)), .int64(run)]
      try? request.reply(.message(OSCMessage(seenAddress, values)))
    }
  }
}
