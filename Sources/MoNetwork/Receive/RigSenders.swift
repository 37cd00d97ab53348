/// The addresses that each run of a rig has sent from: a rig connects again after an outage, from another port.
///
/// It remembers 64 runs with 256 addresses each; then it forgets the oldest run.
struct RigSenders {
  private var runs: [(run: Int64, senders: [NetAddress])] = []

  private static let (mostRuns, mostSenders) = (64, 256)

  /// Adds an address of a run.
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
