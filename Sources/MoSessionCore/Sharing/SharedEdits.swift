import MoCore

/// Changes of one thing that is shared.
public struct SharedEdits: Hashable, Sendable {
  /// What is shared, 1…64 bytes: the machine's name and size, so that those of one size share.
  public var name: String
  /// Its cells.
  public var edits: [SharedEdit]

  /// Changes of one thing.
  public init(_ name: String, _ edits: [SharedEdit]) { (self.name, self.edits) = (name, edits) }

  /// Most that one message holds: 1,160 bytes.
  public static let most = 56

  /// The same in as many messages as it takes.
  var parts: [SharedEdits] {
    stride(from: 0, to: edits.count, by: Self.most).map { start in
      SharedEdits(name, Array(edits[start..<min(start + Self.most, edits.count)]))
    }
  }
}
