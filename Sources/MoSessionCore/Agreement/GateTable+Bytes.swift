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
    var bytes = [UInt8(list.count)]
    for id in list { bytes.append(id.bits, count: 8) }
    for entry in entries {
      bytes.append(UInt64(entry.bits), count: 4)
      bytes += [entry.from, entry.to].map { UInt8(places[$0] ?? 0) }
    }
    return bytes
  }

  /// Reads what `bytes` wrote; nil for anything else.
  init?(bytes: [UInt8]) {
    self.init()
    var reader = ByteReader(bytes)
    guard let count = reader.number(1) else { return nil }
    var installations = [MemberID.nobody]
    for _ in 0..<count {
      guard let bits = reader.number(8) else { return nil }
      installations.append(MemberID(bits))
    }
    while !reader.rest.isEmpty {
      guard let weights = reader.number(4), let from = reader.number(1), let to = reader.number(1),
        from <= count, to <= count,
        let entry = Entry(
          bits: UInt32(weights), from: installations[Int(from)], to: installations[Int(to)]), put(entry)
      else { return nil }
    }
  }
}
