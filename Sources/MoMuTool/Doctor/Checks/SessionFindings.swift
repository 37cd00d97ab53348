/// Checks whether members can find each other: the port that sessions share, and their multicast group.
func sessionFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "session"
  let port = s.session.port
  var found = closings(s, topic)
  let strangers = s.session.sockets.filter { s.session.isJoined ? $0.isLoopback : true }
  var reported: [ResourceOwner?] = []
  for socket in strangers where !reported.contains(socket.holder) {
    reported.append(socket.holder)
    let end =
      socket.holder.map { "to free it: kill \($0.process)" }
      ?? "sudo \(s.program) doctor   # shows the program"
    found.append(
      .problem(
        topic, "UDP port \(port), which sessions share, is in use by \(socket.owner), which is in no session",
        why: "programs here cannot join a session, or that program receives the session's messages", fix: end)
    )
  }
  guard found.isEmpty else { return found }
  let group = "members find each other in the group \(s.session.group), for IPv6 in \(s.session.groupIPv6)"
  guard !s.session.sockets.isEmpty else {
    return [.ok(topic, "UDP port \(port), which sessions share, is free; \(group)")]
  }
  let names = s.session.sockets.map(\.owner)
  let list = names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
  return [
    .ok(
      topic, "UDP port \(port), which sessions share, is in use by \(list.joined(separator: ", ")); \(group)")
  ]
}

/// Returns the findings about firewall rules that drop the messages of other members; none if the rules are unreadable.
private func closings(_ s: SystemSnapshot, _ topic: String) -> [Finding] {
  let port = s.session.port
  guard s.firewall.ruleAccess == .clear else { return [] }
  return s.linked.compactMap { interface in
    func verdict(isIPv6: Bool) -> (verdict: FilterVerdict, by: FilterChain?) {
      s.firewall.verdict(
        ArrivingDatagram(
          port: port, interface: interface.name, isIPv6: isIPv6,
          sources: isIPv6 ? nil : interface.addresses.first))
    }
    let four = interface.addresses.isEmpty ? nil : verdict(isIPv6: false)
    let six = interface.addresses6.isEmpty ? nil : verdict(isIPv6: true)
    // If the rules are for both families, one command opens the port for both.
    guard let verdict = [four, six].compactMap({ $0 }).first(where: { $0.verdict != .accepted }) else {
      return nil
    }
    let isIPv6Only = four.map { $0.verdict == .accepted } ?? true
    let place =
      "on \(interface.name)\(isIPv6Only ? " for IPv6" : "")\(s.firewall.place(verdict.by))"
    let why =
      isIPv6Only && four != nil
      ? "messages of members that have only IPv6 are dropped, so that these members are not found"
      : "messages of other members are dropped, so that these members are not found"
    let opening = s.firewall.opening(port, verdict.by)
    return switch verdict.verdict {
    case .accepted: nil
    case .refused:
      Finding(
        level: .problem, topic: topic, what: "UDP port \(port), which sessions share, is closed \(place)",
        why: why, fix: opening)
    case .unclear:
      Finding(
        level: .note, topic: topic,
        what:
          "UDP port \(port), which sessions share, may be closed \(place): the doctor does not understand all rules",
        fix: ["to open it: \(opening[0])"])
    }
  }
}
