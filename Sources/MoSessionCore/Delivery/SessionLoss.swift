import MoCore

/// What a member has not received from us.
///
/// It was sent until it was of no use any more, for 5 s at most, and not acknowledged in that time; or so much was on its
/// way already that it was not taken, or whom it was for went without a word. What is shared is not among it: that comes by another way.
public struct SessionLoss: Hashable, Sendable, CustomStringConvertible {
  /// The member that has not received it; it may have gone meanwhile.
  public var member: MemberID
  /// The name that was shown.
  public var name: String
  /// How many messages, by their addresses; each 1 at least.
  public var counts: [SessionAddress: Int]

  /// A loss from its parts.
  public init(member: MemberID, name: String, counts: [SessionAddress: Int]) {
    (self.member, self.name, self.counts) = (member, name, counts)
  }

  /// How many messages these are.
  public var total: Int { counts.values.reduce(0, +) }

  /// As it is said: `Ada has not got 12 hits and 1 note`, and what may be the matter.
  public var description: String {
    let list = SessionAddress.allCases.compactMap { address in
      counts[address].map { "\($0) \($0 == 1 ? address.word.one : address.word.many)" }
    }
    let what =
      list.count > 1
      ? "\(list.dropLast().joined(separator: ", ")) and \(list[list.count - 1])" : list.joined()
    return
      "\(name) has not got \(what) from here: is the program there stopped, or its network bad? (momu doctor)"
  }
}

extension SessionAddress {
  /// What a message of an address is called, one and several.
  fileprivate var word: (one: String, many: String) {
    switch self {
    case .hit: ("hit", "hits")
    case .note: ("note", "notes")
    case .melody: ("melody", "melodies")
    case .parameter: ("parameter", "parameters")
    case .gesture: ("gesture", "gestures")
    case .cue: ("sign", "signs")
    case .text: ("line", "lines")
    default: ("message", "messages")
    }
  }
}

/// What one member has not got, and when that is told: a second after the first of it, and then not again before something
/// has come through.
struct PlayLosses: Sendable {
  /// All of it since the member is here.
  private(set) var total = 0
  /// When it is to be told; in the distant future while nothing is.
  private(set) var due = HostTime.distantFuture
  private var untold: [SessionAddress: Int] = [:]
  private var told: HostTime?
  /// Whether it was told, and nothing has come through since.
  private var isSilent = false

  /// Seconds in which it is gathered: what was played together is given up together.
  static let gathering = 1.0
  /// Seconds from one report to the next, if little comes through.
  static let pause = 10.0

  /// Notes so many messages.
  mutating func add(_ address: SessionAddress, _ count: Int = 1, at now: HostTime) {
    total += count
    untold[address, default: 0] += count
    if !isSilent { plan(at: now) }
  }

  /// Notes that the member has acknowledged something.
  mutating func answered(at now: HostTime) {
    guard isSilent else { return }
    isSilent = false
    if !untold.isEmpty { plan(at: now) }
  }

  /// Removes and returns what is to be reported; empty for nothing.
  mutating func popDue(at now: HostTime) -> [SessionAddress: Int] {
    defer { untold = [:] }
    (due, told, isSilent) = (.distantFuture, now, true)
    return untold
  }

  private mutating func plan(at now: HostTime) {
    let earliest = told?.advanced(bySeconds: Self.pause) ?? now
    due = min(due, max(now.advanced(bySeconds: Self.gathering), earliest))
  }

  mutating func shift(by nanoseconds: Int64) {
    due.shift(by: nanoseconds)
    told?.shift(by: nanoseconds)
  }
}
