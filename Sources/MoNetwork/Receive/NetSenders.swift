import MoCore

/// The senders, each with a small number; guarded by the inbound's lock.
///
/// At most 256 are counted separately, so that forged senders cannot fill the memory; all others share number 0.
struct NetSenders {
  private(set) var list = [NetSenderStatistics(address: nil, counts: NetCounts(), lastHeard: .distantPast)]
  private var numbers: [NetAddress: Int] = [:]
  private var latest = 0

  static let most = 256

  /// Returns the number of an address.
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

  /// Changes the counts of a sender, and the total with them.
  mutating func count(_ number: Int, _ change: (inout NetCounts) -> Void) {
    change(&list[number].counts)
    change(&total)
  }

  mutating func heard(_ number: Int, at time: HostTime) { list[number].lastHeard = time }

  /// The counts of all senders together.
  private(set) var total = NetCounts()
}
