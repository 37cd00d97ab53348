import MoCore
import MoSessionCore

extension SharedInstallation {
  /// Returns a warning about programs on different machines that share an installation: their names, the effects, and
  /// the command that gives a machine a new identity.
  package func text(_ core: SessionCore, at now: HostTime) -> String {
    "\(names(core, at: now)) share one installation (\(installation)) on different machines, so --conductor-only, sections and "
      + "ignore cannot tell them apart: a disk or a home folder was copied, or one of them pretends to be the other. Type "
      + "momu session renew on one of the machines, and start its programs again"
  }

  /// Returns a line for the screen: the names of the programs that share an installation, and the command that gives a
  /// machine a new identity.
  package func line(_ core: SessionCore, at now: HostTime) -> String {
    "\(names(core, at: now)) share one installation: type momu session renew on one of them"
  }

  private func names(_ core: SessionCore, at now: HostTime) -> String {
    let names = members.map { core.displayName(of: $0) ?? "a hidden member" }.sorted()
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}
