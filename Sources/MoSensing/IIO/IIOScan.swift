import Glibc

/// The layout of a buffered device's channels in each scan.
///
/// - Source: the kernel's Documentation/ABI/testing/sysfs-bus-iio, `scan_elements`: channels in the order of their
///   index, each aligned to its own size; the whole scan is aligned to the largest size.
package struct IIOScan: Equatable, Sendable {
  /// A channel in a scan.
  package struct Element: Equatable, Sendable {
    var isBigEndian: Bool
    var isSigned: Bool
    var bits: Int
    var bytes: Int
    var shift: Int
    var place = 0

    /// Parses a type as sysfs writes it, such as `le:s16/32>>0`.
    ///
    /// Returns nil for a type of more than 64 bits, or with a repeat count, such as `le:s16/32X3>>0`.
    package init?(_ type: String) {
      let parts = type.split { ":/>".contains($0) }
      guard parts.count >= 3, parts[0] == "le" || parts[0] == "be", !type.contains("X") else { return nil }
      isBigEndian = parts[0] == "be"
      isSigned = parts[1].hasPrefix("s")
      bits = Int(strtol(String(parts[1].dropFirst()), nil, 10))
      bytes = Int(strtol(String(parts[2]), nil, 10)) / 8
      shift = parts.count > 3 ? Int(strtol(String(parts[3]), nil, 10)) : 0
      guard (1...64).contains(bits), [1, 2, 4, 8].contains(bytes), (0..<64).contains(shift) else {
        return nil
      }
    }

    /// Returns the channel's raw value from the bytes of a scan.
    ///
    /// Only the significant bits are used, since HID sensors leave garbage in the others.
    package func count(in scan: some RandomAccessCollection<UInt8>) -> Int64 {
      var word: UInt64 = 0
      for index in 0..<bytes {
        let offset = place + (isBigEndian ? index : bytes - 1 - index)
        word = word << 8 | UInt64(scan[scan.index(scan.startIndex, offsetBy: offset)])
      }
      word >>= UInt64(shift)
      let spare = UInt64(64 - bits)
      return isSigned
        ? Int64(bitPattern: word << spare) >> Int64(spare) : Int64(bitPattern: (word << spare) >> spare)
    }
  }

  /// The requested channels, in the order of the request.
  package private(set) var elements: [Element]
  /// The size of a whole scan, in bytes.
  package let size: Int

  /// Computes the layout of a scan; returns nil if a channel's type is not valid.
  ///
  /// - Parameter channels: the type of each enabled channel, and the channel's index in the scan.
  package init?(_ channels: [(type: String, index: Int)]) {
    var elements: [Element] = []
    for channel in channels {
      guard let element = Element(channel.type) else { return nil }
      elements.append(element)
    }
    var end = 0
    let order = channels.indices.sorted { channels[$0].index < channels[$1].index }
    for number in order {
      let bytes = elements[number].bytes
      elements[number].place = (end + bytes - 1) / bytes * bytes
      end = elements[number].place + bytes
    }
    let largest = elements.map(\.bytes).max() ?? 1
    self.elements = elements
    size = (end + largest - 1) / largest * largest
  }
}
