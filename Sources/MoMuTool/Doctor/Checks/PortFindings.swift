import MoMu

/// Checks which programs use the OSC port.
func portFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "port"
  guard !s.sockets.isEmpty else { return [.ok(topic, "UDP port \(s.port) is free")] }
  var found: [Finding] = []
  let names = Set(s.sockets.map { $0.holder?.process ?? -1 })
  for (index, socket) in s.sockets.enumerated()
  where !s.sockets[..<index].contains(where: { $0.holder == socket.holder }) {
    found.append(finding(s, socket, isShared: names.count > 1))
  }
  for socket in s.sockets where socket.drops > 0 {
    found.append(
      .note(
        topic, "\(socket.owner) has lost \(socket.drops) messages on UDP port \(s.port)",
        why: "it did not read them in time, so its buffer in the kernel was full",
        fix: "make it do less for each message, or send fewer; a larger buffer helps only against bursts"))
  }
  return found
}

private func finding(_ s: SystemSnapshot, _ socket: UDPSocket, isShared: Bool) -> Finding {
  let topic = "port"
  let who = socket.owner
  let end =
    socket.holder.map { "to free it: kill \($0.process)" }
    ?? "sudo \(s.program) doctor --port \(s.port)   # shows the program"
  let elsewhere = "or use another port for yours: --net udp:\(NetError.portBeside(s.port))"
  if isShared {
    return .problem(
      topic, "\(who) shares UDP port \(s.port) with another program",
      why: "each message from another machine reaches only one of them", fix: end, elsewhere)
  }
  if socket.isLoopback {
    return .problem(
      topic, "\(who) listens on UDP port \(s.port) of \(socket.address ?? "this machine") only",
      why: "it receives messages from programs on this machine only",
      fix: "make it listen on 0.0.0.0, which means all addresses", end)
  }
  return .note(
    topic,
    "UDP port \(s.port) is in use by \(who)" + (socket.address.map { ", on \($0) only" } ?? ""),
    why: "that program receives the messages; other programs cannot open the port", fix: end, elsewhere)
}
