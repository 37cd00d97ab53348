/// A filter that skips small changes of values, such as noise.
struct DeadBand: Sendable {
  private let width: Float?
  private var sent: [Float] = []

  /// - Parameter width: the largest difference from the last value sent at which a new value is not sent; nil to send
  ///   every value, changed or not.
  init(_ width: Float?) { self.width = width }

  func isOutside(_ values: [Float]) -> Bool {
    guard let width, sent.count == values.count else { return true }
    for (index, value) in values.enumerated() where !(abs(value - sent[index]) <= width) { return true }
    return false
  }

  mutating func note(_ values: [Float]) { if width != nil { sent = values } }
}
