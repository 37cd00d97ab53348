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
  init(utf8: Span<UInt8>) {
    let known = ChannelName.names.cell(of: utf8)
    cell = Int32(known ?? ChannelName.names.cell(adding: ChannelName.text(utf8)) ?? -1)
  }

  private static func text(_ utf8: Span<UInt8>) -> String {
    utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  package var text: String { cell < 0 ? "" : ChannelName.names.text(of: Int(cell)) }
}
