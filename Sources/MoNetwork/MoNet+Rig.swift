import MoCore
import MoOSC

extension MoNet {
  /// What a rig sends with `confirm = yes`: its name, a number, how many messages it has sent so far, its run.
  public static let confirmAddress = "/momu/rig/confirm"
  /// What comes back: the name and the number again, how many messages came from there, this program's run.
  public static let seenAddress = "/momu/rig/seen"

  /// Confirms from now on to rigs that ask for it how many of their messages have arrived.
  ///
  /// An answer is shorter than what it answers, and goes to where that came from.
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
