/// Curves that scroll from right to left, one below the other.
struct Scope: Sendable {
  private var traces: [Trace]

  init(_ traces: [Trace]) { self.traces = traces }

  /// Appends one value to each trace.
  mutating func add(_ values: [Float]) {
    for (index, value) in zip(traces.indices, values) { traces[index].add(value) }
  }

  /// The text to draw, one line per trace.
  var text: String { traces.map(\.text).joined(separator: "\n") }
}

/// The last 60 values of a quantity, drawn as a line of block characters with eight heights.
///
/// With 20 values per second, the line shows three seconds.
struct Trace: Sendable {
  private let name: String
  private let range: ClosedRange<Float>
  private var values = [Float](repeating: 0, count: 60)

  private static let blocks = Array(" ▁▂▃▄▅▆▇█")

  init(_ name: String, _ range: ClosedRange<Float>) { (self.name, self.range) = (name, range) }

  mutating func add(_ value: Float) {
    values.removeFirst()
    values.append(min(max(value, range.lowerBound), range.upperBound))
  }

  var text: String {
    let length = range.upperBound - range.lowerBound
    let curve = values.map { Trace.blocks[Int(($0 - range.lowerBound) / length * 8)] }
    let label = name + String(repeating: " ", count: max(1, 11 - name.count))
    return label + String(curve) + " " + rounded(values.last ?? 0)
  }
}

/// Returns a number as text with two decimal places.
func rounded(_ number: some BinaryFloatingPoint) -> String {
  let hundredths = Int((Double(number) * 100).rounded())
  let rest = abs(hundredths % 100)
  return "\(hundredths < 0 ? "-" : "")\(abs(hundredths / 100)).\(rest < 10 ? "0" : "")\(rest)"
}
