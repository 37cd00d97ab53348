/// Whether those who play together can find each other: the port that sessions share, and their group.
func sessionFindings(_ s: Surroundings) -> [Finding] {
  let topic = "session"
  let port = s.session.port
  var found = closings(s, topic)
  let strangers = s.session.sockets.filter { s.session.isJoined ? $0.isLoopback : true }
  var told: [Holder?] = []
  for socket in strangers where !told.contains(socket.holder) {
    told.append(socket.holder)
    let end =
      socket.holder.map { "to free it: kill \($0.process)" }
      ?? "sudo \(s.program) doctor   # names the program"
    found.append(
      .problem(
        topic, "UDP port \(port), which sessions share, is held by \(socket.owner), which is in none",
        why: "no session can be joined here, or what the others send reaches that program instead", fix: end))
  }
  guard found.isEmpty else { return found }
  let group = "members are called in the group \(s.session.group)"
  guard !s.session.sockets.isEmpty else {
    return [.ok(topic, "UDP port \(port), which sessions share, is free; \(group)")]
  }
  let names = s.session.sockets.map(\.owner)
  let list = names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
  return [.ok(topic, "on UDP port \(port) members are heard by \(list.joined(separator: ", ")); \(group)")]
}

/// Where a firewall keeps members apart, as far as its rules can be seen.
private func closings(_ s: Surroundings, _ topic: String) -> [Finding] {
  let port = s.session.port
  guard s.firewall.sight == .clear else { return [] }
  return s.connected.compactMap { interface in
    let verdict = s.firewall.verdict(
      ArrivingDatagram(port: port, interface: interface.name, sources: interface.addresses.first))
    let place = "on \(interface.name)\(s.firewall.place(verdict.by))"
    let opening = s.firewall.opening(port, verdict.by)
    return switch verdict.verdict {
    case .accepted: nil
    case .refused:
      Finding(
        level: .problem, topic: topic, what: "UDP port \(port), which sessions share, is closed \(place)",
        why: "the others' calls are thrown away, so that nobody is found", fix: opening)
    case .unclear:
      Finding(
        level: .note, topic: topic,
        what:
          "UDP port \(port), which sessions share, may be closed \(place): not all rules could be understood",
        fix: ["to open it: \(opening[0])"])
    }
  }
}
