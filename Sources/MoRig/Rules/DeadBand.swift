/// A filter that skips small changes of values, such as noise.
struct DeadBand: Sendable {
  private let width: Float?
  private var sent: [Float] = []

  /// - Parameter width: a value is sent only if its difference from the last value sent is larger than this; nil to
  ///   send every value, changed or not.
  init(_ width: Float?) { self.width = width }

  func isOutside(_ values: [Float]) -> Bool {
    guard let width, sent.count == values.count else { return true }
    for (index, value) in values.enumerated() where !(abs(value - sent[index]) <= width) { return true }
    return false
  }

  mutating func note(_ values: [Float]) { if width != nil { sent = values } }
}
