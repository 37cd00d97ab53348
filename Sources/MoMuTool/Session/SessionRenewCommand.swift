import ArgumentParser
import MoMu
import MoOrchestra

/// `momu session renew`: gives this machine a new identity.
struct SessionRenewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew", abstract: "Make this machine an installation of its own, with a new key.",
    discussion: """
      For a machine whose disk or home folder is a copy of another's, and for a key that others may have read. Gates, \
      sections and --conductor-only name the old installation; programs that run keep it until they start again.
      """)

  func run() throws {
    let (before, now) = try Installation.renew(Run.environment())
    show("this installation is \(now)" + (before.map { "; it was \($0)" } ?? "") + "\n")
  }
}
