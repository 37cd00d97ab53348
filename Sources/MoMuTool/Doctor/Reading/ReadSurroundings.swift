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
