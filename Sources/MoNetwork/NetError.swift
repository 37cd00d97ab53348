import MoOSC

/// An error in sending or listening; its text tells what happened and what to type.
public enum NetError: Error, CustomStringConvertible, Equatable {
  /// Another program has the port; `by` names it if the system reports it.
  case portTaken(Int, by: String?)
  /// This user may not use the port.
  case portForbidden(Int)
  /// The number is not a valid port.
  case badPort(Int)
  /// The target cannot be parsed.
  case badTarget(String, why: String)
  /// The network does not know the name.
  case unknownHost(String)
  /// The name has not been looked up yet, and too many messages wait for it already.
  case busyLookingUp(String)
  /// There is no route to the target.
  case noRoute(String)
  /// The machine has no network to broadcast on.
  case noNetwork
  /// The interface does not exist.
  case noInterface(String, known: [String])
  /// A connection was refused, or ended.
  case disconnected(String, reason: String)
  /// The network accepts nothing more at the moment.
  case congested(String)
  /// The message is longer than the transport can carry.
  case tooLong(bytes: Int, most: Int)
  /// The values cannot be written as OSC.
  case unsendable(OSCError)
  /// `--net` names an unknown source.
  case unknownSource(String)
  /// The address is not a multicast group.
  case noGroup(String)
  /// A tape cannot be played.
  case tape(String)
  /// The system refused for another reason.
  case system(String)

  /// The error message: what happened and what to do.
  public var description: String {
    switch self {
    case .portTaken(let port, let program):
      "port \(port) is taken\(program.map { " by \($0)" } ?? " by another program"): close it, or listen on "
        + "another port with --net udp:\(Self.portBeside(port)) (momu doctor shows who has it)"
    case .portForbidden(let port):
      "port \(port) may not be used by this user: take one from 1024 on, such as --net udp:6449"
    case .badPort(let port): "\(port) is no port: use 1 to 65535, such as 6449"
    case .badTarget(let text, let why):
      "\"\(text)\" is no target: \(why); write 192.168.0.5:8888, name.local:8888, broadcast:8888, "
        + "224.0.1.9:8888 or tcp:192.168.0.5:8888"
    case .unknownHost(let name):
      "no machine on the network is called \(name): check the spelling, or use the address that "
        + "'hostname -I' prints there"
    case .busyLookingUp(let name):
      "\(name) is still being looked up, and enough waits for it: use its address instead of its name"
    case .noRoute(let target):
      "there is no way to \(target) from here: is this machine on that network? (ip address shows its own)"
    case .noNetwork: "this machine is on no network that has broadcasts: connect it, then try again"
    case .noInterface(let name, let known):
      "there is no interface \(name) that is up: this machine has \(known.joined(separator: ", "))"
    case .disconnected(let target, let reason):
      "no connection to \(target): \(reason); is the program there running, and listening on TCP?"
    case .congested(let target):
      "the network takes nothing more for \(target) at the moment: send less often, or batch"
    case .tooLong(let bytes, let most):
      "a message of \(bytes) bytes is too long, \(most) is the most: send it in parts, or over tcp:"
    case .unsendable(let error): error.description
    case .unknownSource(let text): "\"\(text)\" is nothing --net can use: use udp:6449, tape:FILE or none"
    case .noGroup(let text):
      "\(text) is no multicast group: those are 224.0.0.0 to 239.255.255.255, and ff00::/8"
    case .tape(let text): text
    case .system(let text): text
    }
  }
}

extension NetError {
  /// Returns a port to try if another is taken; never 6450, which sessions share.
  package static func portBeside(_ port: Int) -> Int {
    port == 65_535 ? port - 1 : port == 6_449 ? port + 2 : port + 1
  }
}
