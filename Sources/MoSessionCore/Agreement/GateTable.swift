/// What a member may influence.
public enum GateKind: Int, CaseIterable, Sendable {
  /// Start, stop and lead the rhythm, and edit the gates; it is for all, so the receiver does not matter.
  ///
  /// 0: may not. 0.5: may while nobody else does. 1: may take the baton from who has less.
  case rhythm
  /// Hits, notes, melodies and gestures.
  ///
  /// 0: are not heard. 0.5: are half as strong. 1: are heard as they were played.
  case notes
  /// Parameters of another's instrument.
  ///
  /// 0: stay as they are. 0.5: go half of the way. 1: become what was sent.
  case modification
  /// How much of a member's movement counts, for all.
  ///
  /// 0: nothing. 0.5: half of it. 1: all.
  case activity
}

/// Who may influence whom, by what, and how much: Weinberg's gates.
///
/// A part of what all agree on. It names installations, so that who starts anew is bound by what was said of it. Of what
/// was stated for a pair, for one to all, for all to one and for all, the first that is there holds.
///
/// - Source: G. Weinberg, *Interconnected Musical Networks: Toward a Theoretical Framework*, Computer Music Journal 29/2
///   (2005).
public struct GateTable: Hashable, Sendable {
  /// What was stated for one and another, or for all.
  struct Entry: Hashable, Sendable {
    /// An installation; `nobody` for all.
    var from: MemberID
    var to: MemberID
    /// Hundredths by their kinds; `unstated` for nothing.
    var weights = SIMD4<UInt8>(repeating: GateTable.unstated)
  }

  static let unstated: UInt8 = 255
  /// Most pairs of which something can be stated: enough for a line of 60 members.
  public static let most = 64

  /// In order of giver and receiver.
  private(set) var entries: [Entry] = []

  /// Gates of which nothing was stated: all may influence all, and conduct while nobody else does.
  public init() {}

  /// How much of one's influence reaches another, 0…1; installations.
  ///
  /// - Parameter isElsewhere: whether the two are on different machines, even if their installation is the same.
  public func weight(
    _ kind: GateKind, from: MemberID, to: MemberID = .nobody, isElsewhere: Bool = false
  ) -> Float {
    let isForAll = kind == .rhythm || kind == .activity
    if from == to, !isForAll, !isElsewhere { return 1 }
    let to = isForAll ? .nobody : to
    for (from, to) in [(from, to), (from, .nobody), (.nobody, to), (.nobody, .nobody)] {
      if let entry = entries.first(where: { $0.from == from && $0.to == to }),
        entry.weights[kind.rawValue] != Self.unstated
      {
        return Float(entry.weights[kind.rawValue]) / 100
      }
    }
    return kind == .rhythm ? 0.5 : 1
  }

  /// All that is stated, in order; `nobody` stands for all.
  public var statements: [(from: MemberID, to: MemberID, kind: GateKind, weight: Float)] {
    entries.flatMap { entry in
      GateKind.allCases.filter { entry.weights[$0.rawValue] != Self.unstated }
        .map { (entry.from, entry.to, $0, Float(entry.weights[$0.rawValue]) / 100) }
    }
  }

  /// States how much of one's influence reaches another, 0…1, in hundredths; `nobody` stands for all, and nil takes
  /// back what was stated.
  ///
  /// False if too much would be stated.
  @discardableResult
  public mutating func set(
    _ weight: Float?, _ kind: GateKind, from: MemberID = .nobody, to: MemberID = .nobody
  ) -> Bool {
    let to = kind == .rhythm || kind == .activity ? .nobody : to
    let value = weight.map { UInt8(($0.within(0...1) * 100).rounded()) } ?? Self.unstated
    var entry = entries.first { $0.from == from && $0.to == to } ?? Entry(from: from, to: to)
    entry.weights[kind.rawValue] = value
    return put(entry)
  }

  /// Puts an entry into its place.
  mutating func put(_ entry: Entry) -> Bool {
    var list = entries.filter { $0.from != entry.from || $0.to != entry.to }
    if entry.weights != SIMD4(repeating: Self.unstated) {
      guard list.count < Self.most else { return false }
      let place = list.firstIndex { (entry.from, entry.to) < ($0.from, $0.to) } ?? list.count
      list.insert(entry, at: place)
    }
    entries = list
    return true
  }
}

extension GateTable.Entry {
  /// The weights in the bytes of a number, the first kind's highest.
  var bits: UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(weights[$1]) }
  }

  /// An entry as it was sent; nil if a weight is none.
  init?(bits: UInt32, from: MemberID, to: MemberID) {
    self.init(from: from, to: to)
    for place in 0..<4 {
      let weight = UInt8(truncatingIfNeeded: bits >> UInt32(24 - 8 * place))
      guard weight <= 100 || weight == GateTable.unstated else { return nil }
      weights[place] = weight
    }
  }
}

/// Ways of playing together, as gates; members are named by their installations.
extension GateTable {
  /// All influence all alike.
  public static let democratic = GateTable()

  /// One leads: it alone conducts and alters others' sound; others' notes and movement count half.
  public static func monarchic(_ king: MemberID) -> GateTable {
    var gates = GateTable()
    gates.state(rhythm: 0, notes: 0.5, modification: 0, activity: 0.5)
    gates.state(from: king, rhythm: 1, notes: 1, modification: 1, activity: 1)
    return gates
  }

  /// Each influences the next in line only, and the first conducts; nobody else hears anybody.
  public static func stairs(_ line: [MemberID]) -> GateTable {
    var gates = GateTable()
    gates.state(rhythm: 0, notes: 0, modification: 0, activity: 1)
    if let first = line.first { gates.state(from: first, rhythm: 1) }
    for (one, next) in zip(line, line.dropFirst()) {
      gates.state(from: one, to: next, notes: 1, modification: 1)
    }
    return gates
  }

  /// All play to one, who conducts, and plays to all and alters their sound.
  public static func centralised(_ centre: MemberID) -> GateTable {
    var gates = GateTable()
    gates.state(rhythm: 0, notes: 0, modification: 0, activity: 1)
    gates.state(to: centre, notes: 1)
    gates.state(from: centre, rhythm: 1, notes: 1, modification: 1)
    return gates
  }

  private mutating func state(
    from: MemberID = .nobody, to: MemberID = .nobody, rhythm: Float? = nil, notes: Float? = nil,
    modification: Float? = nil, activity: Float? = nil
  ) {
    if let rhythm { set(rhythm, .rhythm, from: from, to: to) }
    if let notes { set(notes, .notes, from: from, to: to) }
    if let modification { set(modification, .modification, from: from, to: to) }
    if let activity { set(activity, .activity, from: from, to: to) }
  }
}

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
