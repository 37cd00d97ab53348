extension RigStream {
  /// Returns why the sensor and an earlier sensor of the configuration cannot both be read, because of their ports; nil
  /// if they can.
  func portConflict(with earlier: [RigStream]) -> String? {
    serialConflict(with: earlier) ?? netConflict(with: earlier)
  }

  /// Returns why the sensor cannot share its serial port with an earlier sensor; nil if it can, or if no sensor shares
  /// the port.
  private func serialConflict(with earlier: [RigStream]) -> String? {
    guard let port = RigSource.Key(self).port,
      let other = earlier.first(where: {
        guard let known = RigSource.Key($0).port else { return false }
        return known.path == port.path && (known.baud != port.baud || $0.kind != kind)
      }), let known = RigSource.Key(other).port
    else { return nil }
    let pair = "[\(title)] and [\(other.title)] in line \(other.line) read the same port"
    return known.baud == port.baud
      ? "\(pair), one as text and one as numbers: remove one, or give each its own port"
      : "\(pair) at \(port.baud) and \(known.baud) baud: a port has one speed: write the board's speed in both, "
        + "such as ?baud=\(known.baud)"
  }

  /// Returns why the sensor cannot listen on its network port, since an earlier sensor listens on another port; nil if
  /// it can.
  private func netConflict(with earlier: [RigStream]) -> String? {
    guard let port = netPort,
      let other = earlier.first(where: { $0.netPort.map { $0 != port } ?? false }), let known = other.netPort
    else { return nil }
    return "[\(title)] and [\(other.title)] in line \(other.line) listen on the ports \(port) and \(known): "
      + "a rig listens on a single port for its sensors: write source = net:\(known) in both, and set this port "
      + "in the senders"
  }

  /// The port of the source `net:PORT`; nil for other sources.
  private var netPort: Int? {
    source.flatMap { $0.hasPrefix("net:") ? Int($0.dropFirst("net:".count)) : nil }
  }
}
