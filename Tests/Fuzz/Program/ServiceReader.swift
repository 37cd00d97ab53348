import MoOrchestra

/// TXT records as a service directory delivers them: strings with any contents, with a length before each (RFC 1035,
/// 3.3.14).
enum ServiceReader {
  /// Reads the input as a record; returns the law that it breaks, if any.
  static func read(_ input: [UInt8]) -> String? {
    if let broken = law(strings(input)) { return broken }
    // The input is also read as one string of a record; a directory should deliver no string this long.
    return law([input])
  }

  /// Returns the strings of a record; a truncated one ends with the bytes.
  private static func strings(_ bytes: [UInt8]) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, place + 1 + Int(bytes[place]))
      strings.append(Array(bytes[place + 1..<end]))
      place = end
    }
    return strings
  }

  private static func law(_ strings: [[UInt8]]) -> String? {
    guard let record = try? ServiceRecord(strings: strings) else { return nil }
    guard record.member != .nobody else { return "a record of nobody was taken" }
    guard (1...100).contains(record.room.utf8.count), record.name.count <= 40 else {
      return "a record has texts without end"
    }
    for attempt in [1, 99] {
      let instance = record.instance(attempt: attempt)
      guard instance.utf8.count <= 63 else { return "a service's name is longer than DNS-SD has room for" }
      guard instance.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
        return "a service's name would steer a terminal"
      }
    }
    // A name without printable characters is empty after reading, and an empty name cannot be published.
    if !record.name.isEmpty, (try? ServiceRecord(strings: record.strings)) != record {
      return "a record that was read says something else when it is published"
    }
    return nil
  }
}
