import Glibc
import MoRuntime

/// The connections of a client's ports with the loudspeakers and microphones.
///
/// - Thread: that of `start` and `wait`.
extension JACKDevice {
  /// A connection of a port of this client with a port of the hardware.
  struct Connection {
    /// The name of this client's port.
    var port: String
    /// Whether `port` is an output.
    var isOutput: Bool
    /// The port of the hardware; nil before such a port is free.
    var end: String?
    /// Whether the connection was made, and `end` is still there.
    var isMade = false
  }

  /// Connects each port of this client to a port of the hardware, in the order of both.
  ///
  /// A single output port is connected to the first two ports of the hardware, left and right.
  func connect() {
    let sinks = outputs.count == 1 ? outputs + outputs : outputs
    connections =
      sinks.compactMap(portName).map { Connection(port: $0, isOutput: true) }
      + inputs.compactMap(portName).map { Connection(port: $0, isOutput: false) }
    reconnect()
    if connections.contains(where: { $0.isOutput }), ends(JACKLibrary.isInput).isEmpty {
      MoLog.log(.warning, "\(name): the server has no loudspeaker: MoMu connects to one when it appears")
    }
  }

  /// Makes each connection that is missing, if the hardware has a port for it; warns of ports that have disappeared.
  ///
  /// A connection that the user has removed stays removed while the port of the hardware is there.
  func reconnect() {
    let (speakers, microphones) = (ends(JACKLibrary.isInput), ends(JACKLibrary.isOutput))
    for index in connections.indices {
      let connection = connections[index]
      let present = connection.isOutput ? speakers : microphones
      let free = present.first { name in !connections.contains { $0.end == name } }
      guard let end = connection.end ?? free else { continue }
      connections[index].end = end
      if !present.contains(end) {
        if connection.isMade {
          MoLog.log(
            .warning, "\(name): the port \(end) has disappeared: MoMu connects to it when it is back")
        }
        connections[index].isMade = false
      } else if !connection.isMade {
        let (from, to) = connection.isOutput ? (connection.port, end) : (end, connection.port)
        connections[index].isMade = [0, EEXIST].contains(library.connect(client, from, to))
      }
    }
  }

  private func portName(_ port: JACKLibrary.Port) -> String? {
    library.portName(port).map { String(cString: $0) }
  }

  /// Returns the names of the hardware's ports, in the server's order.
  ///
  /// - Parameter direction: `isInput` for the loudspeakers, since they are inputs of the server; `isOutput` for the
  ///   microphones.
  private func ends(_ direction: UInt) -> [String] {
    guard let names = library.ports(client, nil, JACKLibrary.audioType, JACKLibrary.isPhysical | direction)
    else { return [] }
    defer { library.free(names) }
    var found: [String] = []
    while let name = names[found.count] { found.append(String(cString: name)) }
    return found
  }
}
