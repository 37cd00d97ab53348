/// The kernel's report of a thermometer on a 1-Wire bus.
///
/// - Source: the kernel's Documentation/w1/slaves/w1_therm.rst.
enum OneWireReport: Equatable, Sendable {
  /// The temperature in °C.
  case temperature(Float)
  /// The checksum of the data is wrong.
  case wrongChecksum
  /// Text in another format.
  case unknown

  /// Parses the file `w1_slave`: two lines of nine bytes each.
  ///
  /// The first line ends with the checksum, `crc=57 YES`. The second line ends with the temperature, `t=23125`, in
  /// thousandths of a degree Celsius.
  init(slave text: String) {
    let lines = text.split(separator: "\n")
    guard lines.count >= 2, lines[0].contains("crc=") else {
      self = .unknown
      return
    }
    guard lines[0].hasSuffix("YES") else {
      self = lines[0].hasSuffix("NO") ? .wrongChecksum : .unknown
      return
    }
    guard let equals = lines[1].lastIndex(of: "="), lines[1][..<equals].hasSuffix(" t") else {
      self = .unknown
      return
    }
    self = OneWireReport(thousandths: String(lines[1][lines[1].index(after: equals)...]))
  }

  /// Parses the file `temperature`: thousandths of a degree Celsius, or nothing after a wrong checksum.
  init(temperature text: String) {
    self = text.isEmpty ? .wrongChecksum : OneWireReport(thousandths: text)
  }

  private init(thousandths text: String) {
    // Thermometers of these families measure from -55 to 125 °C.
    guard let number = Int(text.prefix { !$0.isNewline }), (-55_000...125_000).contains(number) else {
      self = .unknown
      return
    }
    self = .temperature(Float(Double(number) / 1000))
  }
}
