import Glibc

extension SystemReader {
  /// Reads the network state that the doctor checks.
  ///
  /// - Parameter port: the port at which OSC should arrive.
  func surroundings(port: Int) -> SystemSnapshot {
    let interfaces = interfaces()
    return SystemSnapshot(
      port: port, program: link("/proc/self/exe") ?? "momu", isRoot: isRoot, interfaces: interfaces,
      routes: routes(), neighbours: neighbours(), wireless: wireless(interfaces), radioBlock: radioBlock(),
      firewall: firewall(), sockets: sockets(port: port), session: session(), machine: machine(interfaces),
      receiveBufferLimit: number("/proc/sys/net/core/rmem_max"), bufferDrops: bufferDrops())
  }
}

extension SystemReader {
  /// Reads the packet filter's rules, and detects the programs that manage the rules.
  ///
  /// Only root can read the rules. For other users, the result only says whether there may be rules.
  func firewall() -> Firewall {
    var firewall = Firewall()
    firewall.managers = managers()
    guard isRoot else {
      firewall.ruleAccess = isLoaded() ? .hidden : .clear
      return firewall
    }
    let nft = run(["nft", "list", "ruleset"])
    // Run it only if such tables exist, since running it would load the kernel module.
    let hasLegacy = !lines("/proc/net/ip_tables_names").isEmpty
    let legacy =
      (hasLegacy ? run(["iptables-legacy-save"]) : nil) ?? (nft == nil ? run(["iptables-save"]) : nil)
    firewall.ruleAccess = nft != nil || legacy != nil ? .clear : isLoaded() ? .hidden : .clear
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

extension SystemReader {
  /// Detects whether this machine is real, virtual, a container or WSL.
  func machine(_ interfaces: [Interface]) -> Machine {
    Machine(windows: windows(interfaces), hypervisor: hypervisor(), container: container())
  }

  /// Returns the networking mode of WSL 2; nil if the kernel's release is not a release of WSL.
  ///
  /// If the program `wslinfo` is missing, the interface `loopback0` shows that networking is mirrored: the interface
  /// stands for the loopback of Windows.
  private func windows(_ interfaces: [Interface]) -> Machine.Windows? {
    guard let release = word("/proc/sys/kernel/osrelease")?.lowercased(), release.contains("microsoft")
    else { return nil }
    if let mode = run(["wslinfo", "--networking-mode"])?.trimmed { return mode == "nat" ? .nat : .mirrored }
    return interfaces.contains { $0.name == "loopback0" && $0.isUp } ? .mirrored : .nat
  }

  private func hypervisor() -> Machine.Hypervisor? {
    let vendor = word("/sys/class/dmi/id/sys_vendor") ?? ""
    let product = word("/sys/class/dmi/id/product_name") ?? ""
    if product == "VirtualBox" { return .virtualBox }
    if vendor.hasPrefix("VMware") { return .vmware }
    if vendor == "QEMU" || product.hasPrefix("Standard PC") { return .qemu }
    if vendor == "Microsoft Corporation" && product == "Virtual Machine" { return .hyperV }
    if vendor.hasPrefix("Parallels") { return .parallels }
    if vendor.hasPrefix("Apple") && product.contains("Virtual") { return .apple }
    return nil
  }

  private func container() -> String? {
    if exists("/.dockerenv") { return "docker" }
    if exists("/run/.containerenv") { return "podman" }
    // systemd records the kind of container; it also records WSL, which is not a container.
    if let kind = word("/run/systemd/container"), !kind.isEmpty, kind != "wsl" { return kind }
    let groups = text("/proc/1/cgroup") ?? ""
    return ["docker", "kubepods", "lxc", "podman"].first { groups.contains("/\($0)") }
  }
}
