import MoCore

/// The senders of messages, each with a number from 1 on and its own counts; guarded by the lock of `NetReceiver`.
///
/// At most 256 senders are counted separately, so that forged senders cannot fill the memory; all other senders share
/// the number 0.
struct NetSenders {
  private(set) var list = [NetSenderStatistics(address: nil, counts: NetCounts(), lastHeard: .distantPast)]
  private var numbers: [NetAddress: Int] = [:]
  private var latest = 0

  static let most = 256

  /// Returns the number of the sender at an address; 0 for a new sender after the first 256.
  mutating func number(of address: NetAddress) -> Int {
    // Usually the same sender sends again.
    if list[latest].address == address { return latest }
    if let number = numbers[address] {
      latest = number
      return number
    }
    guard list.count <= Self.most else { return 0 }
    list.append(NetSenderStatistics(address: address, counts: NetCounts(), lastHeard: .distantPast))
    latest = list.count - 1
    numbers[address] = latest
    return latest
  }

  /// Applies `change` to the counts of the sender with the given number, and to the total.
  mutating func count(_ number: Int, _ change: (inout NetCounts) -> Void) {
    change(&list[number].counts)
    change(&total)
  }

  mutating func heard(_ number: Int, at time: HostTime) { list[number].lastHeard = time }

  /// The counts of all senders together.
  private(set) var total = NetCounts()
}
