import Glibc

/// Creates new inputs from old ones, the same for the same seed.
struct Mutator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  // SplitMix64 by Steele, Lea and Flood (2014).
  private mutating func next(_ below: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ mixed >> 31) % UInt64(max(below, 1)))
  }

  /// Bytes that have a meaning for one of the readers.
  private static let telling: [[UInt8]] = [
    [0], [0xFF], Array("/".utf8), Array("#bundle\0".utf8), Array(",".utf8), Array("*".utf8),
    Array("{a,b}".utf8),
    Array("[!a-z]".utf8), Array("//".utf8), [0xC0], [0xDB, 0xDC], [0xDB], [0, 0, 0, 0],
    [0x7F, 0xFF, 0xFF, 0xFF],
    [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 8], Array(",ifsbhdtScmTFNI\0".utf8), [0xC3, 0x28],
    Array("RIFF".utf8), Array("RF64".utf8), Array("WAVE".utf8), Array("fmt ".utf8), Array("data".utf8),
    Array("ds64".utf8), Array("LIST".utf8), [0xFE, 0xFF], [1, 0, 1, 0], [3, 0], [16, 0, 0, 0],
    [0x80, 0xBB, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    // NaN and infinity, as floats and doubles; the least long integers.
    [0x7F, 0xC0, 0, 0], [0xFF, 0x80, 0, 0], [0x7F, 0xF8, 0, 0, 0, 0, 0, 0], [0x7F, 0xF0, 0, 0, 0, 0, 0, 0],
    [0x80, 0, 0, 0, 0, 0, 0, 0],
    Array("MThd".utf8), Array("MTrk".utf8), [0, 0, 0, 6, 0, 1, 0, 2, 0, 96], [0xFF, 0x2F, 0],
    [0xFF, 0x51, 3],
    [0x90, 60, 64], [0xB0, 101, 0, 100, 0, 6], [0xF0], [0xF7], [0x80, 0x61], Array("IN".utf8),
    Array("OK".utf8),
    Array("CK".utf8), [0, 0, 0, 2],
  ]

  /// Returns one of the inputs, with one to eight changes.
  mutating func mutate(_ corpus: [[UInt8]]) -> [UInt8] {
    var input = corpus[next(corpus.count)]
    if input.count > 10_000 && next(50) != 0 { input = corpus[0] }
    for _ in 0...next(8) {
      let place = next(input.count + 1)
      switch next(8) {
      case 0 where !input.isEmpty: input[min(place, input.count - 1)] ^= 1 << UInt8(next(8))
      case 1 where !input.isEmpty: input[min(place, input.count - 1)] = UInt8(next(256))
      case 2: input.insert(contentsOf: Self.telling[next(Self.telling.count)], at: place)
      case 3:
        let telling = Self.telling[next(Self.telling.count)]
        // Half of the changes replace a value at the alignment of OSC.
        let begin = next(2) == 0 ? place & ~3 : place
        let end = min(begin + telling.count, input.count)
        input.replaceSubrange(begin..<end, with: telling.prefix(end - begin))
      case 4: input.removeSubrange(place..<min(place + next(9), input.count))
      case 5: input = Array(input[..<place])
      case 6:
        let other = corpus[next(corpus.count)]
        input = Array(input[..<place]) + other[next(other.count + 1)...]
      default:
        let piece = input[place..<min(place + next(64), input.count)]
        input.insert(contentsOf: piece, at: next(input.count + 1))
      }
      if input.count > 70_000 { input.removeLast(input.count - 70_000) }
    }
    return input
  }
}

/// Returns the contents of the files in a folder.
func readCorpus(_ folder: String) -> [[UInt8]] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted().compactMap { name in
    guard let file = fopen("\(folder)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 100_000)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
  }
}
