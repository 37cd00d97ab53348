import MoCore

/// The choice of the host whose readings a sensor reads, so that the readings of two devices are not mixed.
///
/// The sensor reads the first host that sends. If this host becomes silent, the sensor reads the next host that sends.
package struct SenderChoice: Sendable {
  private var host: String?
  private var lastHeard = HostTime.distantPast
  private var others: Set<String> = []

  /// The largest number of other hosts that are remembered, so that forged senders cannot fill the memory.
  private static let mostOthers = 16

  /// The result for a reading.
  package enum Outcome: Equatable, Sendable {
    case read
    case ignored
    /// The reading is ignored, as the first reading of its host beside those of the host `chosen`.
    case firstIgnored(chosen: String)
  }

  package init() {}

  /// Decides whether a reading is read.
  ///
  /// - Parameters:
  ///   - host: the address of the sender, without the port.
  ///   - preferred: the host that is read as soon as it sends: the phone that the accelerometer reads; nil for none.
  ///   - now: the time at which the reading was delivered.
  package mutating func decide(_ host: String, preferred: String?, at now: HostTime) -> Outcome {
    guard let chosen = self.host, host != chosen, host != preferred,
      now.seconds(since: lastHeard) < PhoneSelector.takeOverTime
    else {
      (self.host, lastHeard) = (host, max(lastHeard, now))
      others.remove(host)
      return .read
    }
    let isFirst = others.count < SenderChoice.mostOthers && others.insert(host).inserted
    return isFirst ? .firstIgnored(chosen: chosen) : .ignored
  }
}
