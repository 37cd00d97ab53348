/// Checks for WSL, a container or a virtual machine, whose network may be separate from the room's network.
func machineFindings(_ s: SystemSnapshot) -> [Finding] {
  if let windows = s.machine.windows { return [windowsFinding(s, windows)] }
  if let container = s.machine.container { return [containerFinding(s, container)] }
  if let hypervisor = s.machine.hypervisor { return [virtualFinding(s, hypervisor)] }
  return []
}

/// Returns the finding for WSL.
///
/// See learn.microsoft.com/windows/wsl/networking. In the PowerShell command, the value of `-VMCreatorId` stands for
/// WSL among the virtual machines of Hyper-V.
private func windowsFinding(_ s: SystemSnapshot, _ mode: Machine.Windows) -> Finding {
  let open =
    "New-NetFirewallHyperVRule -Name momu -DisplayName momu -Direction Inbound -VMCreatorId "
    + "'{40E0AC32-46A5-438A-A0B2-2B479E8F2E90}' -Protocol UDP -LocalPorts \(s.port)"
  switch mode {
  case .nat:
    return .problem(
      "machine", "this is WSL 2 behind the network address translation (NAT) of Windows",
      why: "messages from other machines reach only Windows; broadcast and multicast stay inside",
      fix: "in Windows 11, write these two lines to the file .wslconfig in your user folder:", "[wsl2]",
      "networkingMode=mirrored", "then, in PowerShell: wsl --shutdown", "and, as administrator: \(open)")
  case .mirrored:
    return .note(
      "machine", "this is WSL 2 with the addresses of Windows (mirrored)",
      why: "the firewall of Windows filters its packets, and the doctor cannot read that firewall",
      fix: "in PowerShell, as administrator: \(open)")
  }
}

private func containerFinding(_ s: SystemSnapshot, _ kind: String) -> Finding {
  if s.interfaces.contains(where: \.isReal) {
    return .ok("machine", "this is a container (\(kind)) with its own network device or its host's")
  }
  let own = s.connected.flatMap(\.addresses).first.map { " (\($0.address))" } ?? ""
  if s.connected.contains(where: { !s.answering(on: $0).isEmpty }) {
    return .note(
      "machine", "this is a container (\(kind)) with its own network, in which other machines answer",
      why: "machines outside this network cannot reach its address\(own)",
      fix: "to play with machines outside, give it a device in their network, or the host's network")
  }
  let why = "other machines cannot reach its address\(own); broadcast and multicast stay inside"
  switch kind {
  case "docker", "podman":
    return .problem(
      "machine", "this is a container (\(kind)) with its own network", why: why,
      fix: "\(kind) run --network host …",
      "or, for messages to one port only: \(kind) run -p \(s.port):\(s.port)/udp …")
  case "kubepods":
    return .problem(
      "machine", "this is a container (Kubernetes) with its own network", why: why,
      fix: "in the pod's specification: hostNetwork: true")
  default:
    return .problem(
      "machine", "this is a container (\(kind)) with its own network", why: why,
      fix: "give it a device in the room's network (macvlan, or a bridge with the host's card)")
  }
}

private func virtualFinding(_ s: SystemSnapshot, _ hypervisor: Machine.Hypervisor) -> Finding {
  let name = hypervisor.rawValue
  let hiding = s.connected.flatMap(\.addresses).first { hides($0, s) }
  guard let hiding else {
    return .ok(
      "machine", "this is a virtual machine (\(name)) with an address that other machines can reach")
  }
  let why = "other machines cannot reach \(hiding.address); broadcast and multicast stay inside"
  let what = "this is a virtual machine (\(name)) behind the network address translation (NAT) of its host"
  switch hypervisor {
  case .virtualBox:
    return .problem(
      "machine", what, why: why,
      fix: "in VirtualBox: Machine > Settings > Network > Attached to: Bridged Adapter",
      "or on the host: VBoxManage controlvm NAME nic1 bridged HOST-CARD")
  case .vmware:
    return .problem(
      "machine", what, why: why, fix: "in VMware: VM > Settings > Network Adapter > Bridged")
  case .qemu:
    return .problem(
      "machine", what, why: why,
      fix: "in virt-manager: NIC > Network source: Macvtap device, or a bridge",
      "with qemu itself: -nic bridge, or for one port: -nic user,hostfwd=udp::\(s.port)-:\(s.port)")
  case .hyperV:
    return .problem(
      "machine", what, why: why, fix: "in Hyper-V: an external virtual switch instead of the Default Switch")
  case .parallels, .apple:
    return .problem(
      "machine", what, why: why, fix: "in the program that runs the machine, set its network to Bridged")
  }
}

/// Whether an address is in a hypervisor's default network, which other machines cannot reach.
///
/// The networks in the list `usual` belong to VirtualBox and QEMU, to libvirt, to Parallels, and to Apple, in this
/// order. A network of VMware has its router at an address that ends in .2. Hyper-V's Default Switch uses a network in
/// 172.16.0.0/12.
private func hides(_ address: Subnet, _ s: SystemSnapshot) -> Bool {
  let usual = ["10.0.2.0/24", "192.168.122.0/24", "10.211.55.0/24", "192.168.64.0/24"]
  if usual.compactMap({ Subnet($0) }).contains(where: { $0.contains(address.address) }) { return true }
  let gateway = s.routes.first { $0.gateway.map { address.contains($0) } ?? false }?.gateway
  switch s.machine.hypervisor {
  case .vmware: return gateway.map { $0.bits & 0xff == 2 && address.prefix == 24 } ?? false
  case .hyperV: return Subnet("172.16.0.0/12")?.contains(address.address) ?? false
  default: return false
  }
}
