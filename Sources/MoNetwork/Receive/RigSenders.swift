/// The addresses from which each run of a rig has sent: a rig that connects again after an outage sends from another
/// port.
///
/// A run is the time from a start of the rig's program to its end. At most 64 runs are stored, with 256 addresses each;
/// a further run replaces the oldest run.
struct RigSenders {
  private var runs: [(run: Int64, senders: [NetAddress])] = []

  private static let (mostRuns, mostSenders) = (64, 256)

  /// Adds the address `sender` to those of a run, unless the run already has this address or 256 others.
  ///
  /// - Returns: all addresses of that run.
  mutating func senders(of run: Int64, with sender: NetAddress) -> [NetAddress] {
    guard let place = runs.firstIndex(where: { $0.run == run }) else {
      if runs.count >= Self.mostRuns { runs.removeFirst() }
      runs.append((run, [sender]))
      return [sender]
    }
    if !runs[place].senders.contains(sender), runs[place].senders.count < Self.mostSenders {
      runs[place].senders.append(sender)
    }
    return runs[place].senders
  }
}
