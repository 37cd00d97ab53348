/// Checks whether a firewall accepts OSC messages from other machines.
func firewallFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "firewall"
  guard s.firewall.ruleAccess == .clear else { return [hidden(s, topic)] }
  let verdicts = s.connected.map { interface in
    (
      interface,
      s.firewall.verdict(
        ArrivingDatagram(port: s.port, interface: interface.name, sources: interface.addresses.first))
    )
  }
  let found = verdicts.compactMap { interface, verdict -> Finding? in
    switch verdict.verdict {
    case .accepted: nil
    case .refused:
      Finding(
        level: .problem, topic: topic,
        what: "UDP port \(s.port) is closed on \(interface.name)\(s.firewall.place(verdict.by))",
        why: "messages from other machines are dropped without a report to either side",
        fix: s.firewall.opening(s.port, verdict.by))
    case .unclear:
      Finding(
        level: .note, topic: topic,
        what: "UDP port \(s.port) may be closed on \(interface.name)\(s.firewall.place(verdict.by)): "
          + "the doctor does not understand all rules",
        fix: ["to open it: \(s.firewall.opening(s.port, verdict.by)[0])"])
    }
  }
  guard found.isEmpty else { return found }
  let isFiltering = s.firewall.chains.contains { $0.input != nil }
  return [.ok(topic, isFiltering ? "UDP port \(s.port) is open" : "no firewall")]
}

private func hidden(_ s: SystemSnapshot, _ topic: String) -> Finding {
  let why = "if a firewall closes UDP port \(s.port), messages from other machines are dropped silently"
  let look = s.isRoot ? "sudo apt install nftables" : "sudo \(s.program) doctor --port \(s.port)"
  if s.firewall.managers.isEmpty {
    let list = "sudo nft list ruleset   # shows the rules themselves"
    return .note(
      topic,
      s.isRoot
        ? "no installed program shows the firewall's rules" : "only root can read the firewall's rules",
      why: why, fix: look, list)
  }
  let name = s.firewall.isManagedByUfw ? "ufw" : "firewalld"
  var finding = Finding.note(
    topic, "\(name) is on, and only root can read its rules", why: why, fix: look)
  finding.fix.append("to open the port: \(s.firewall.opening(s.port, nil)[0])")
  finding.fix.append("and for sessions: \(s.firewall.opening(s.session.port, nil)[0])")
  return finding
}

extension Firewall {
  /// Returns the end of a sentence, which names the program or chain that closes a port, such as " by ufw".
  ///
  /// For a chain, the text is " by the chain input of the table inet filter"; without a chain, the text is empty.
  func place(_ chain: FilterChain?) -> String {
    if isManagedByUfw { return " by ufw" }
    if isManagedByFirewalld { return " by firewalld" }
    return chain.map { " by the chain \($0.name) of the table \($0.table)" } ?? ""
  }

  /// Returns the commands that open a UDP port, for the program that manages the rules.
  ///
  /// - Parameter chain: the chain that closes the port; nil if the chain is unknown.
  func opening(_ port: Int, _ chain: FilterChain?) -> [String] {
    if isManagedByUfw { return ["sudo ufw allow \(port)/udp"] }
    if isManagedByFirewalld {
      return ["sudo firewall-cmd --permanent --add-port=\(port)/udp && sudo firewall-cmd --reload"]
    }
    if let chain, chain.language == .nft {
      return [
        "sudo nft insert rule \(chain.table) \(chain.name) udp dport \(port) accept",
        "to keep the rule, also add it to /etc/nftables.conf",
      ]
    }
    return [
      "sudo \(chain?.language == .ip6tables ? "ip6tables" : "iptables") -I INPUT -p udp --dport \(port) -j ACCEPT"
    ]
  }
}
