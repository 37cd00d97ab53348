/// The reason why Avahi cannot be used; the program continues without Avahi.
package enum AvahiTrouble: Hashable, Sendable, CustomStringConvertible {
  /// Avahi's client library cannot be loaded, for the given reason.
  case library(String)
  /// Avahi's daemon does not run.
  case daemon
  /// D-Bus, which connects programs to Avahi's daemon, cannot be reached, for the given reason.
  case bus(String)

  init?(_ status: ServiceStatus) {
    switch status {
    case .starting, .ready: return nil
    case .missing: self = .daemon
    case .unreachable(let reason): self = .bus(reason)
    }
  }

  /// The message for members of a session: the reason why Avahi cannot help to find members, and the command that
  /// helps.
  package var description: String { "Avahi cannot help to find members, because \(reason)" }

  /// The missing part of Avahi, and the command that installs or starts it.
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
