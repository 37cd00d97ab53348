/// Gates as a state says them: each installation once, since most are named by several gates.
extension GateTable {
  /// Most bytes of gates and of what is stated of sections: with all else that a state can say, its signature and its
  /// seal, they fit into a datagram of 1500 bytes, over IPv6 too.
  static let mostBytes = 700
  /// Bytes of what is stated of a section, with its types.
  static let sectionBytes = 14
  private static let gateBytes = 6

  /// Whether a state has room for it beside what is stated of so many sections.
  func fits(besideSections count: Int) -> Bool {
    entries.count <= Self.most && byteCount + Self.sectionBytes * count <= Self.mostBytes
  }

  private var byteCount: Int { 1 + 8 * installations.count + Self.gateBytes * entries.count }

  /// Those that are named, by their numbers.
  private var installations: [MemberID] {
    Set(entries.flatMap { [$0.from, $0.to] }).subtracting([.nobody]).sorted()
  }

  /// How many installations are named (1 byte); each (8 bytes); then for each gate the weights (4 bytes), and from whom
  /// and to whom (1 byte each): 0 for all, else the place of the installation from 1 on.
  var bytes: [UInt8] {
    let list = installations
    let places = Dictionary(uniqueKeysWithValues: zip(list, 1...list.count + 1))
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    return [UInt8(list.count)] + list.flatMap { bytes($0.bits) }
      + entries.flatMap { entry -> [UInt8] in
        bytes(entry.bits) + [entry.from, entry.to].map { UInt8(places[$0] ?? 0) }
      }
  }

  /// Reads what `bytes` wrote; nil for anything else.
  init?(bytes: [UInt8]) {
    self.init()
    let count = Int(bytes.first ?? 0)
    let start = 1 + 8 * count
    guard !bytes.isEmpty, bytes.count >= start, (bytes.count - start) % Self.gateBytes == 0 else {
      return nil
    }
    func number(_ place: Int, _ size: Int) -> UInt64 {
      bytes[place..<place + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let installations = [MemberID.nobody] + (0..<count).map { MemberID(number(1 + 8 * $0, 8)) }
    for place in stride(from: start, to: bytes.count, by: Self.gateBytes) {
      let (from, to) = (Int(bytes[place + 4]), Int(bytes[place + 5]))
      guard from <= count, to <= count,
        let entry = Entry(
          bits: UInt32(number(place, 4)), from: installations[from], to: installations[to]), put(entry)
      else { return nil }
    }
  }
}
