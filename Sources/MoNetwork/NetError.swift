import CMoSystem
import Glibc
import MoOSC
import MoRuntime

/// An error in sending or listening; its text says what happened and what to type.
public enum NetError: Error, CustomStringConvertible, Equatable {
  /// Another program uses the port; `by` is the program's name, if the system reports the name.
  case portTaken(Int, by: String?)
  /// The user has no right to open the port, such as a port below 1024.
  case portForbidden(Int)
  /// The number is not a port number, 1 … 65535.
  case badPort(Int)
  /// The text is not a valid target.
  case badTarget(String, why: String)
  /// The host name is unknown.
  case unknownHost(String)
  /// The host name is still being looked up, and the queue of messages that wait for lookups is full.
  case busyLookingUp(String)
  /// There is no route to the target, for example because this machine is in no network.
  case noRoute(String)
  /// No interface supports broadcasts.
  case noNetwork
  /// The named interface is missing or down; `known` lists the names of the interfaces that are up.
  case noInterface(String, known: [String])
  /// A TCP connection was refused or closed, or could not be made.
  case disconnected(String, reason: String)
  /// The send queue for the target is full, such as the kernel's buffer of unsent datagrams.
  case congested(String)
  /// The message has more bytes than a packet may have; `most` is the largest number.
  case tooLong(bytes: Int, most: Int)
  /// The message cannot be encoded in OSC.
  case unsendable(OSCError)
  /// The option `--net` names an unknown source of messages.
  case unknownSource(String)
  /// The address is not a multicast group.
  case noGroup(String)
  /// The tape cannot be played; the text is the reason.
  case tape(String)
  /// The system refused the operation for a reason that no other case describes; the text names the reason.
  case system(String)

  /// The error message: what happened and what to do.
  public var description: String {
    switch self {
    case .portTaken(let port, let program):
      "port \(port) is taken\(program.map { " by \($0)" } ?? " by another program"): close it, or listen on "
        + "another port with --net udp:\(Self.portBeside(port)) (momu doctor shows which program has it)"
    case .portForbidden(let port):
      "this user may not use port \(port): choose one from 1024, such as --net udp:6449"
    case .badPort(let port): "\(port) is not a port number: use 1 to 65535, such as 6449"
    case .badTarget(let text, let why):
      "\"\(text)\" is not a target: \(why); type 192.168.0.5:8888, name.local:8888, broadcast:8888, "
        + "224.0.1.9:8888 or tcp:192.168.0.5:8888"
    case .unknownHost(let name):
      "unknown host \(name): check the spelling, or use the address that 'hostname -I' prints on that machine"
    case .busyLookingUp(let name):
      "the lookup of \(name) is still running, and its queue is full: use the address instead of the name"
    case .noRoute(let target):
      "no route to \(target): connect this machine to that network (ip address shows its networks)"
    case .noNetwork: "no broadcast-capable interface: connect this machine to a network, then try again"
    case .noInterface(let name, let known):
      "interface \(name) is missing or down: this machine has \(known.joined(separator: ", "))"
    case .disconnected(let target, let reason):
      "no connection to \(target): \(reason); check that the program there is running and listens on TCP"
    case .congested(let target):
      "the send queue for \(target) is full: send less often, or batch messages"
    case .tooLong(let bytes, let most):
      "the message has \(bytes) bytes, but must have at most \(most): send it in parts, or over tcp:"
    case .unsendable(let error): error.description
    case .unknownSource(let text): "unknown source \"\(text)\" for --net: use udp:6449, tape:FILE or none"
    case .noGroup(let text):
      "\(text) is not a multicast group: use 224.0.0.0 to 239.255.255.255, or ff00::/8"
    case .tape(let text): text
    case .system(let text): text
    }
  }
}

extension NetError {
  /// Returns a nearby port to try if `port` is taken; never 6450, which sessions share.
  package static func portBeside(_ port: Int) -> Int {
    port == 65_535 ? port - 1 : port == 6_449 ? port + 2 : port + 1
  }
}

extension NetError {
  /// Creates the error for the errno of an attempt to open a port.
  init(opening port: Int, errno error: Int32) {
    switch error {
    case EADDRINUSE: self = .portTaken(port, by: nil)
    case EACCES, EPERM: self = .portForbidden(port)
    default: self = .system("port \(port) cannot be used: \(String(cString: strerror(error)))")
    }
  }

  /// Returns a `portTaken` error with the name of the program that uses the port, if the system reports this name.
  ///
  /// Any other error is returned unchanged.
  func withHolder(isTCP: Bool) -> NetError {
    guard case .portTaken(let port, nil) = self else { return self }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { name in
      guard let name = name.baseAddress else { return self }
      let process = momu_port_holder(UInt16(port), isTCP, name)
      guard process > 0 else { return self }
      let holder = process == getpid() ? "this program itself" : String(cString: name).printable
      return .portTaken(port, by: holder)
    }
  }

  static let tooManyFiles = NetError.system(
    "the network cannot be used: the program has too many files open (ulimit -n)")

  /// Creates the error for the errno of an attempt to send a datagram.
  ///
  /// - Parameters:
  ///   - target: the destination, for the error text.
  ///   - bytes: the size of the datagram, for the error text.
  init(sendingTo target: String, bytes: Int, errno error: Int32) {
    switch error {
    case EMSGSIZE: self = .tooLong(bytes: bytes, most: NetSender.longestDatagram)
    case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, ENETDOWN, EAFNOSUPPORT, ENODEV: self = .noRoute(target)
    case EAGAIN, ENOBUFS: self = .congested(target)
    case EACCES, EPERM:
      self = .system("sending to \(target) is forbidden here: check the firewall with momu doctor")
    default: self = .system("sending to \(target) failed: \(String(cString: strerror(error)))")
    }
  }
}
