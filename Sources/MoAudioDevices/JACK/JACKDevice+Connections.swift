import MoRuntime

/// The connections of a client's ports with the loudspeakers and microphones.
///
/// - Thread: that of `start` and `wait`.
extension JACKDevice {
  /// A connection from one port to another; one of the two ports belongs to this client.
  struct Connection {
    var from: String
    var to: String
    /// The port of the hardware: `from` or `to`.
    var end: String
    /// Whether the port of the hardware has disappeared, and the connection with it.
    var isLost = false
  }

  /// Connects each port of this client to the hardware's port at the same index.
  ///
  /// A single output port is connected to the first two ports of the hardware, left and right.
  func connect() {
    let speakers = ends(JACKLibrary.isInput)
    let microphones = ends(JACKLibrary.isOutput)
    let sinks =
      outputs.count == 1 ? speakers.prefix(2).map { (outputs[0], $0) } : Array(zip(outputs, speakers))
    connections =
      sinks.compactMap { port, end in portName(port).map { Connection(from: $0, to: end, end: end) } }
      + zip(inputs, microphones).compactMap { port, end in
        portName(port).map { Connection(from: end, to: $0, end: end) }
      }
    for connection in connections { _ = library.connect(client, connection.from, connection.to) }
  }

  /// Restores each connection that was lost with its port, if the port is back; warns of ports that have disappeared.
  ///
  /// A connection that the user has removed stays removed while the port of the hardware is there.
  func reconnect() {
    let present = Set(ends(JACKLibrary.isInput) + ends(JACKLibrary.isOutput))
    for index in connections.indices {
      let connection = connections[index]
      if !present.contains(connection.end) {
        if !connection.isLost {
          MoLog.log(
            .warning,
            "\(name): the port \(connection.end) has disappeared: MoMu connects to it when it is back")
        }
        connections[index].isLost = true
      } else if connection.isLost {
        connections[index].isLost = library.connect(client, connection.from, connection.to) != 0
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
