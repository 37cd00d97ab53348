/// The name of a channel, kept once, so that a reading stays a plain value.
///
/// - Thread: any.
package struct ChannelName: BitwiseCopyable, Hashable, Sendable {
  /// How many a program can have: a line full of noise names anything.
  private static let names = ChannelNameTable(room: 4096)

  /// Where it is among them; below 0 where there was no more room.
  private let cell: Int32

  /// The name that a text is; the empty one where there are too many.
  package init(_ text: String) {
    let known = ChannelName.names.cell(of: text.utf8Span.span)
    cell = Int32(known ?? ChannelName.names.cell(adding: text) ?? -1)
  }

  /// The name that a text's UTF-8 bytes are: of one that is known, no text is made.
  init(utf8: Span<UInt8>) {
    let known = ChannelName.names.cell(of: utf8)
    cell = Int32(known ?? ChannelName.names.cell(adding: ChannelName.text(utf8)) ?? -1)
  }

  private static func text(_ utf8: Span<UInt8>) -> String {
    utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  package var text: String { cell < 0 ? "" : ChannelName.names.text(of: Int(cell)) }
}
