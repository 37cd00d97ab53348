import MoCore
import MoOSC

/// A line of text that a device has sent, such as the number of an RFID tag or a bar code.
package struct TextLine: SensorReading {
  /// The OSC address on tapes and in the network, with one text argument (`,s`).
  package static let address = "/momu/text"

  /// The value before the first measurement: an empty line.
  package static var initial: Self { Self(time: .zero, utf8: "".utf8) }

  // Each line is an event of its own.
  package static let canBeThinned = false

  /// The longest text, in bytes.
  package static let longest = 120

  package var time: HostTime
  private var bytes = InlineArray<120, UInt8>(repeating: 0)
  private var count = 0

  /// - Parameter utf8: the bytes of the text; bytes after the first 120 are left out.
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

  /// The text; bytes that are not UTF-8 become replacement characters.
  package var text: String {
    String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self)
  }

  package var arguments: [OSCArgument] { [.string(text)] }

  package static func == (left: TextLine, right: TextLine) -> Bool {
    left.time == right.time && left.text == right.text
  }
}
