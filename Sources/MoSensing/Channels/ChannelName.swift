import MoCore
import Synchronization

/// The name of a channel, stored once in a table, so that a reading stays a plain value.
///
/// - Thread: any.
package struct ChannelName: BitwiseCopyable, Hashable, Sendable {
  /// The table of the names of all channels: at most 4096, since noise on a serial line can look like ever new names.
  private static let names = ChannelNameTable(room: 4096)

  /// The index of the name in the table; -1 if the table was full.
  private let cell: Int32

  /// Creates the name from a text; if the table of names is full, a new name is empty.
  package init(_ text: String) {
    let known = ChannelName.names.cell(of: text.utf8Span.span)
    cell = Int32(known ?? ChannelName.names.cell(adding: text) ?? -1)
  }

  /// Creates the name from UTF-8 bytes, without creating a text if the name is known.
  package init(utf8: Span<UInt8>) {
    let known = ChannelName.names.cell(of: utf8)
    cell = Int32(known ?? ChannelName.names.cell(adding: ChannelName.text(utf8)) ?? -1)
  }

  private static func text(_ utf8: Span<UInt8>) -> String {
    utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  package var text: String { cell < 0 ? "" : ChannelName.names.text(of: Int(cell)) }

  /// Returns the text of the error about a channel that a source does not have.
  ///
  /// The text proposes the channel with the most similar name.
  ///
  /// - Parameter there: the names of the channels that the source has.
  package static func missing(_ channel: String, of source: String, among there: [String]) -> String {
    let nearest = Spelling.nearest(to: channel, among: there).map { "did you mean \($0)? Use" } ?? "use"
    return "\(source) has no channel \(channel): \(nearest) \(SensorError.list(there))"
  }
}

/// A table of names that only grows, so that names are found and read without a lock.
///
/// The hash of a name's bytes is the index of the cell at which a search begins. A new name gets the first free cell
/// from that index on, and keeps this cell. There are at least twice as many cells as names, so that a search soon
/// reaches an empty cell. A cell is written only once, under the lock.
///
/// - Source: D. E. Knuth, *The Art of Computer Programming* 3, 2nd ed. 1998, 6.4, algorithm L, for the search; FNV-1a
///   (draft-eastlake-fnv) for its start.
/// - Thread: any.
package struct ChannelNameTable: ~Copyable, @unchecked Sendable {
  private struct Name {
    var text: String
    var utf8: UnsafeMutableBufferPointer<UInt8>
  }

  // Unchecked: the cells are atomic, their memory does not move, and no name changes.
  private let cells: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Name>?>>
  private let last: Int
  private let room: Int
  private let known = Locked<[String: Int]>([:])

  /// - Parameter room: the largest number of names, at least 1.
  package init(room: Int) {
    self.room = room
    var count = 2
    while count < 2 * room { count *= 2 }
    cells = .allocate(capacity: count)
    last = count - 1
    for cell in 0..<count { (cells + cell).initialize(to: Atomic(nil)) }
  }

  deinit {
    for cell in 0...last {
      guard let name = cells[cell].load(ordering: .acquiring) else { continue }
      name.pointee.utf8.deallocate()
      name.deinitialize(count: 1)
      name.deallocate()
    }
    cells.deinitialize(count: last + 1)
    cells.deallocate()
  }

  /// Returns the index of the cell of the name with these bytes; nil if the name is unknown.
  package func cell(of utf8: Span<UInt8>) -> Int? {
    var cell = first(utf8)
    while let name = cells[cell].load(ordering: .acquiring) {
      if ChannelNameTable.areEqual(name.pointee.utf8.span, utf8) { return cell }
      cell = (cell + 1) & last
    }
    return nil
  }

  /// Returns the index of a name's cell, after adding the name if it is new; nil if the table is full.
  package func cell(adding text: String) -> Int? {
    known.withLock { known in
      // Texts that are equal are the same name, even if their bytes differ.
      if let cell = known[text] { return cell }
      guard known.count < room else { return nil }
      let utf8 = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
      _ = utf8.initialize(from: text.utf8)
      var cell = first(utf8.span)
      while cells[cell].load(ordering: .relaxed) != nil { cell = (cell + 1) & last }
      let name = UnsafeMutablePointer<Name>.allocate(capacity: 1)
      name.initialize(to: Name(text: text, utf8: utf8))
      cells[cell].store(name, ordering: .releasing)
      known[text] = cell
      return cell
    }
  }

  /// Returns the name in a cell; empty if there is none.
  package func text(of cell: Int) -> String { cells[cell].load(ordering: .acquiring)?.pointee.text ?? "" }

  private func first(_ utf8: Span<UInt8>) -> Int {
    var hash: UInt32 = 0x811C_9DC5
    for index in utf8.indices { hash = (hash ^ UInt32(utf8[index])) &* 0x0100_0193 }
    // The upper bits depend more on the last bytes.
    return Int(hash ^ hash >> 16) & last
  }

  private static func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    for index in one.indices where one[index] != other[index] { return false }
    return true
  }
}
