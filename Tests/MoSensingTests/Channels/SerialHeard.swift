import MoSensing

/// A value that a board sent.
struct SerialValue: Equatable {
  var channel: String
  var value: Float
}

extension SerialDecoder {
  /// Decodes the next bytes, and returns their values.
  mutating func decode(_ bytes: [UInt8]) -> [SerialValue] {
    var values: [SerialValue] = []
    decode(bytes.span) { values.append(SerialValue(channel: $0.text, value: $1)) }
    return values
  }
}
