/// The reason why Avahi does not help; everything else continues without it.
package enum AvahiTrouble: Hashable, Sendable, CustomStringConvertible {
  /// Avahi's client library cannot be loaded.
  case library(String)
  /// Avahi's daemon does not run.
  case daemon
  /// The bus that connects programs to Avahi's daemon cannot be reached.
  case bus(String)

  init?(_ status: ServiceStatus) {
    switch status {
    case .starting, .ready: return nil
    case .missing: self = .daemon
    case .unreachable(let reason): self = .bus(reason)
    }
  }

  /// The missing part and the command that helps, for members of a session.
  package var description: String { "Avahi cannot help to find members, because \(reason)" }

  /// The missing part, and the command that helps.
  package var reason: String {
    switch self {
    case .library(let reason):
      "its library is missing (\(reason)): sudo apt-get install avahi-daemon libavahi-client3"
    case .daemon:
      "its daemon does not run: sudo apt-get install avahi-daemon, then sudo systemctl start avahi-daemon"
    case .bus(let reason): "there is no system bus (\(reason)): sudo apt-get install dbus"
    }
  }
}
