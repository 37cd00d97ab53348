import MoCore
import MoOSC

/// A line of text that a device has sent, such as the number of an RFID tag or a bar code.
package struct TextLine: SensorReading {
  /// On tapes and in the network: `,s`.
  package static let address = "/momu/text"

  // Each is news.
  package static let canBeThinned = false

  /// The most bytes that one has.
  package static let longest = 120

  package var time: HostTime
  private var bytes = InlineArray<120, UInt8>(repeating: 0)
  private var count = 0

  /// - Parameter utf8: its bytes; what is beyond the longest is left out.
  package init(time: HostTime, utf8: some Sequence<UInt8>) {
    self.time = time
    for byte in utf8 {
      guard count < Self.longest else { break }
      bytes[count] = byte
      count += 1
    }
  }

  package init?(time: HostTime, arguments: [OSCArgument]) {
    guard arguments.count == 1, let text = arguments[0].text else { return nil }
    self.init(time: time, utf8: text.utf8)
  }

  /// The text; bytes that are not UTF-8 stand as replacement characters.
  package var text: String {
    String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self)
  }

  package var arguments: [OSCArgument] { [.string(text)] }

  package static func == (left: TextLine, right: TextLine) -> Bool {
    left.time == right.time && left.text == right.text
  }
}
