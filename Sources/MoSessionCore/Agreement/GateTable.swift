/// A way in which one member influences others.
public enum GateKind: Int, CaseIterable, Sendable {
  /// The right to start, stop and lead the rhythm, and to edit the gates.
  ///
  /// This right concerns all members, so the gate's receiver does not matter. At weight 0, the member may not
  /// conduct. At 0.5, the member may conduct while no other member does. At 1, the member may also take the baton
  /// from a member with a lower weight.
  case rhythm
  /// The strength with which a member's strikes, notes, melodies and gestures reach the receiver.
  ///
  /// At weight 0, they are blocked. At 0.5, they are half as strong. At 1, they are as strong as played.
  case notes
  /// The effect of a member's parameter changes on another member's instrument.
  ///
  /// At weight 0, the parameter keeps its value. At 0.5, the parameter moves half of the way to the value sent. At 1,
  /// the parameter becomes the value sent.
  case modification
  /// The weight of a member's movement in the activity of all members together.
  ///
  /// At weight 0, the movement does not count. At 0.5, it counts half. At 1, it counts in full.
  case activity
}

/// The gates: a table of the weights with which installations influence each other, after Weinberg.
///
/// The table is part of the agreed state (`SessionState`). It names installations instead of members, so that an entry
/// still applies after a program restarts. If several entries apply to a pair of installations, the first entry in this
/// order counts: for the pair, from the sender to all, from all to the receiver, from all to all.
///
/// - Source: G. Weinberg, *Interconnected Musical Networks: Toward a Theoretical Framework*, Computer Music Journal
///   29/2 (2005).
public struct GateTable: Hashable, Sendable {
  /// The weights for a pair of installations; `nobody` stands for all installations.
  struct Entry: Hashable, Sendable {
    /// The influencing installation; `nobody` for all.
    var from: MemberID
    var to: MemberID
    /// The weights in hundredths, by `GateKind.rawValue`; `unstated` for a gate that is not set.
    var weights = SIMD4<UInt8>(repeating: GateTable.unstated)
  }

  static let unstated: UInt8 = 255
  /// The largest number of pairs of installations that can have gates.
  ///
  /// The room's state also has a limit of 700 bytes for gates and section levels together. So a chain
  /// (`stairs`) can have at most 49 members, and fewer if sections have levels.
  public static let most = 64

  /// The entries, sorted by sender and receiver.
  private(set) var entries: [Entry] = []

  /// Creates a table in which all members influence all others, and may conduct while no other member conducts.
  public init() {}

  /// Returns the weight, 0…1, with which one installation influences another.
  ///
  /// - Parameters:
  ///   - kind: the gate.
  ///   - from: the installation that influences.
  ///   - to: the installation that is influenced.
  ///   - isElsewhere: whether the two members are on different machines. If `from` and `to` are the same installation,
  ///     the gates for notes and parameters apply only if this is true. Members on different machines have the same
  ///     installation if a disk was copied.
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

  /// The gates that are set, each with its sender, receiver, kind and weight.
  ///
  /// The gates are sorted by sender and receiver, then by kind. If `from` or `to` is `MemberID.nobody`, the gate
  /// applies to all installations.
  public var statements: [(from: MemberID, to: MemberID, kind: GateKind, weight: Float)] {
    entries.flatMap { entry in
      GateKind.allCases.filter { entry.weights[$0.rawValue] != Self.unstated }
        .map { (entry.from, entry.to, $0, Float(entry.weights[$0.rawValue]) / 100) }
    }
  }

  /// Sets the weight, 0…1, with which one installation influences another.
  ///
  /// The weight is rounded to hundredths; nil removes the gate. `nobody` means all installations.
  ///
  /// - Returns: false if `most` other pairs have gates.
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

  /// Inserts or replaces an entry, or removes it if it has no weights; returns false if the table is full.
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
  /// The weights as the bytes of a number; the highest byte is the weight of the first kind.
  var bits: UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(weights[$1]) }
  }

  /// Decodes an entry; nil if a weight is invalid.
  init?(bits: UInt32, from: MemberID, to: MemberID) {
    self.init(from: from, to: to)
    for place in 0..<4 {
      let weight = UInt8(truncatingIfNeeded: bits >> UInt32(24 - 8 * place))
      guard weight <= 100 || weight == GateTable.unstated else { return nil }
      weights[place] = weight
    }
  }
}

/// Presets: sets of gates for different ways of playing together.
extension GateTable {
  /// The gates with which all members influence all others equally.
  public static let democratic = GateTable()

  /// Returns the gates for a leader: only the leader conducts and changes the sound of other members.
  ///
  /// The notes and movement of the other members have half weight.
  public static func monarchic(_ king: MemberID) -> GateTable {
    var gates = GateTable()
    gates.state(rhythm: 0, notes: 0.5, modification: 0, activity: 0.5)
    gates.state(from: king, rhythm: 1, notes: 1, modification: 1, activity: 1)
    return gates
  }

  /// Returns the gates for a chain: each member influences only the next member, and the first member conducts.
  ///
  /// Between all other pairs of members, the gates for notes and parameters are closed.
  public static func stairs(_ line: [MemberID]) -> GateTable {
    var gates = GateTable()
    gates.state(rhythm: 0, notes: 0, modification: 0, activity: 1)
    if let first = line.first { gates.state(from: first, rhythm: 1) }
    for (one, next) in zip(line, line.dropFirst()) {
      gates.state(from: one, to: next, notes: 1, modification: 1)
    }
    return gates
  }

  /// Returns the gates for a central member, which conducts.
  ///
  /// All members play to the central member. The central member plays to all members and changes their sound.
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

/// The wire format of gates: each installation is listed once, since most are part of several gates.
extension GateTable {
  /// The largest size of gates and section levels in a state, in bytes.
  ///
  /// A state with gates and section levels of this size fits into a datagram of 1500 bytes, even over IPv6. The
  /// datagram then also has room for the state's other contents, its signature, and the encryption of a locked room.
  static let mostBytes = 700
  /// The size of a section's entry in a message, in bytes: hash (8), bits (4), and an OSC type tag for each (1).
  static let sectionBytes = 14
  private static let gateBytes = 6

  /// Returns whether a state has room for this table and a number of section entries.
  func fits(withSections count: Int) -> Bool {
    entries.count <= Self.most && byteCount + Self.sectionBytes * count <= Self.mostBytes
  }

  private var byteCount: Int { 1 + 8 * installations.count + Self.gateBytes * entries.count }

  /// The installations that are part of any gate, in the order of their indexes in the wire format.
  private var installations: [MemberID] {
    Set(entries.flatMap { [$0.from, $0.to] }).subtracting([.nobody]).sorted()
  }

  /// The bytes in a message: the count of installations (1 byte), each installation (8 bytes), then the gates.
  ///
  /// Each gate has its weights (4 bytes), and its sender and receiver (1 byte each): 0 for all, else the installation's
  /// index from 1 on.
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

  /// Decodes the format of `bytes`; nil for anything else.
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
