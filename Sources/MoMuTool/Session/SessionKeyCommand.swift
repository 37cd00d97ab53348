import ArgumentParser
import CMoSystem
import Glibc
import MoRuntime
import MoSessionCore

/// `momu session key`: prints a passkey that is hard to guess.
struct SessionKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Make a passkey for a locked room, to be read out or scanned.")

  func run() throws {
    let passkey = try Passkey.make()
    show(passkey + "\n")
    let columns = isatty(STDOUT_FILENO) == 1 ? Int(momu_terminal_columns(STDOUT_FILENO)) : 0
    guard let code = QRCode(passkey), QRPicture.columns(code) <= columns else { return }
    show("\n" + QRPicture.lines(code).joined(separator: "\n") + "\n")
  }
}
