import MoRealTime

/// The name of a channel, kept once, so that a reading stays a plain value.
///
/// - Thread: any.
package struct ChannelName: BitwiseCopyable, Hashable, Sendable {
  private let number: Int32

  private struct Names {
    var numbers: [String: Int32] = [:]
    var texts: [String] = []
  }

  private static let names = Guarded(Names())
  /// How many a program can have: a line full of noise names anything.
  private static let room = 4096

  /// The name that a text is; the empty one where there are too many.
  package init(_ text: String) {
    number = ChannelName.names.withLock { names in
      if let known = names.numbers[text] { return known }
      guard names.texts.count < ChannelName.room else { return -1 }
      let number = Int32(names.texts.count)
      names.texts.append(text)
      names.numbers[text] = number
      return number
    }
  }

  package var text: String {
    ChannelName.names.withLock { $0.texts.indices.contains(Int(number)) ? $0.texts[Int(number)] : "" }
  }
}
