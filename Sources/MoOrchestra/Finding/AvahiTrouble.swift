import MoSessionCore

/// The reason why Avahi does not help to find members; everything else continues without it.
package enum AvahiTrouble: Hashable, Sendable, CustomStringConvertible {
  /// Its client library cannot be loaded.
  case library(String)
  /// Its daemon does not run.
  case daemon
  /// The bus that connects to it cannot be reached.
  case bus(String)

  init?(_ status: ServiceFinder.Status) {
    switch status {
    case .starting, .ready: return nil
    case .missing: self = .daemon
    case .unreachable(let reason): self = .bus(reason)
    }
  }

  /// The missing part, and the command that helps.
  package var description: String {
    switch self {
    case .library(let reason):
      "Avahi does not help to find members, for want of its library (\(reason)): "
        + "sudo apt-get install avahi-daemon libavahi-client3"
    case .daemon:
      "Avahi does not help to find members, for its daemon does not run: "
        + "sudo apt-get install avahi-daemon, then sudo systemctl start avahi-daemon"
    case .bus(let reason):
      "Avahi does not help to find members, for there is no system bus (\(reason)): sudo apt-get install dbus"
    }
  }
}
