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

/// Checks how large a burst of datagrams the kernel can buffer until a program reads them.
func bufferFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "buffer"
  guard let limit = s.receiveBufferLimit else { return [] }
  // Measured: Linux's default of 212,992 bytes holds 512 small messages if a program requests all of it, since the
  // kernel doubles the request and counts its bookkeeping for each message. Otherwise it holds 256.
  let wanted = 4_194_304
  guard limit < 1_048_576 else {
    let drops = s.bufferDrops ?? 0
    guard drops > 0 else { return [.ok(topic, "the kernel buffers up to \(limit) bytes for a program")] }
    return [
      .note(
        topic, "the kernel buffers up to \(limit) bytes for a program, but has dropped \(drops) datagrams",
        why: "since this machine started, a program did not read in time",
        fix: "`ss -ulmp` shows the program: look for d above 0 in skmem")
    ]
  }
  return [
    .note(
      topic, "the kernel buffers only \(limit) bytes for a program",
      why: "of a burst of more than about \(limit / 416) small messages, the rest is lost"
        + ((s.bufferDrops ?? 0) > 0
          ? "; since this machine started, \(s.bufferDrops ?? 0) datagrams were lost" : ""),
      fix: "echo net.core.rmem_max=\(wanted) | sudo tee /etc/sysctl.d/60-momu.conf && sudo sysctl --system")
  ]
}
