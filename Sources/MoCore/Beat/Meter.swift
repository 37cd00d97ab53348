/// How beats make bars: 4/4, 3/4, 7/8.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Meter: Hashable, Sendable, BitwiseCopyable {
  /// Beats in a bar, 1…64: the upper number.
  public let beatsPerBar: Int
  /// The note that counts as one beat, 1, 2, 4, 8, 16 or 32: the lower number.
  public let unit: Int

  /// A meter, or nil where there is none such.
  public init?(_ beatsPerBar: Int, _ unit: Int) {
    guard (1...64).contains(beatsPerBar), (1...32).contains(unit), unit.nonzeroBitCount == 1 else {
      return nil
    }
    self.init(known: beatsPerBar, unit)
  }

  private init(known beatsPerBar: Int, _ unit: Int) { (self.beatsPerBar, self.unit) = (beatsPerBar, unit) }

  /// Four quarters.
  public static let common = Meter(known: 4, 4)
}

extension Meter: CustomStringConvertible {
  /// As it is written: `4/4`.
  public var description: String { "\(beatsPerBar)/\(unit)" }

  /// Reads what is written `7/8`; nil where that is no meter.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let beats = Int(parts[0]), let unit = Int(parts[1]) else { return nil }
    self.init(beats, unit)
  }
}
