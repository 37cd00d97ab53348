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
