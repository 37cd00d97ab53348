extension SystemReader {
  /// Reads the packet filter's rules, and detects the programs that manage the rules.
  ///
  /// Only root can read the rules. For other users, the result only says whether there may be rules.
  func firewall() -> Firewall {
    var firewall = Firewall()
    firewall.managers = managers()
    guard isRoot else {
      firewall.sight = isLoaded() ? .hidden : .clear
      return firewall
    }
    let nft = run(["nft", "list", "ruleset"])
    // Run it only if such tables exist, since running it would load the kernel module.
    let hasLegacy = !lines("/proc/net/ip_tables_names").isEmpty
    let legacy =
      (hasLegacy ? run(["iptables-legacy-save"]) : nil) ?? (nft == nil ? run(["iptables-save"]) : nil)
    firewall.sight = nft != nil || legacy != nil ? .clear : isLoaded() ? .hidden : .clear
    firewall.chains = parseNft(nft ?? "") + parseIptables(legacy ?? "")
    let hasLegacy6 = !lines("/proc/net/ip6_tables_names").isEmpty
    let legacy6 =
      (hasLegacy6 ? run(["ip6tables-legacy-save"]) : nil) ?? (nft == nil ? run(["ip6tables-save"]) : nil)
    firewall.chainsIPv6 =
      parseNft(nft ?? "", isIPv6: true) + parseIptables(legacy6 ?? "", isIPv6: true)
    return firewall
  }

  private func managers() -> Set<Firewall.Manager> {
    var managers: Set<Firewall.Manager> = []
    if lines("/etc/ufw/ufw.conf").contains(where: { $0.lowercased().trimmed == "enabled=yes" }) {
      managers.insert(.ufw)
    }
    let isRunning = names("/proc").contains { Int($0) != nil && word("/proc/\($0)/comm") == "firewalld" }
    if isRunning { managers.insert(.firewalld) }
    return managers
  }

  /// Whether the kernel has loaded the module of a packet filter; true if the kernel does not list its modules.
  private func isLoaded() -> Bool {
    guard let modules = text("/proc/modules"), !modules.isEmpty else { return true }
    return modules.split(separator: "\n").contains { line in
      ["nf_tables ", "iptable_filter ", "ip6table_filter "].contains { line.hasPrefix($0) }
    }
  }
}
