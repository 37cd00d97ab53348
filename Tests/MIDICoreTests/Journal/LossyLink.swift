/// A link with bursts of loss, reordering and duplicates, in virtual time.
///
/// Bursts by Gilbert (1960): a good state without loss, and a bad one in which every packet is lost.
struct LossyLink {
  /// The fraction of packets that are lost, 0…1.
  var loss = 0.1
  /// The mean number of packets in a burst.
  var burst = 4.0
  /// The fraction of packets that are late by up to 30 ms.
  var late = 0.05
  /// The fraction of packets that arrive twice.
  var twice = 0.03

  private var isBad = false
  private var waiting: [(time: Double, order: Int, packet: [UInt8])] = []
  private var order = 0

  init() {}

  /// Sends a packet at a time in seconds.
  mutating func send(_ packet: [UInt8], at time: Double, _ random: inout SplitMix64) {
    let leave = 1 / burst
    let enter = leave * loss / (1 - loss)
    isBad = Double.random(in: 0..<1, using: &random) < (isBad ? 1 - leave : enter)
    let copies = Double.random(in: 0..<1, using: &random) < twice ? 2 : 1
    for _ in 0..<(isBad && loss > 0 ? 0 : copies) {
      let isLate = Double.random(in: 0..<1, using: &random) < late
      let delay = 0.003 + (isLate ? Double.random(in: 0..<0.03, using: &random) : 0)
      waiting.append((time + delay, order, packet))
      order += 1
    }
  }

  /// Returns the packets that have arrived by a time, in order of arrival.
  mutating func arrived(by time: Double) -> [[UInt8]] {
    guard waiting.contains(where: { $0.time <= time }) else { return [] }
    let due = waiting.filter { $0.time <= time }.sorted { ($0.time, $0.order) < ($1.time, $1.order) }
    waiting.removeAll { $0.time <= time }
    return due.map(\.packet)
  }
}
