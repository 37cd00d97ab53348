import MoTime

/// What one member is to have in order, and has not yet acknowledged.
struct PlayOutbox: Sendable {
  struct Waiting: Sendable {
    var letter: PlayLetter
    /// When it is sent again, and after which pause the time after.
    var next: HostTime
    var pause = PlayOutbox.firstPause
    /// When it is given up.
    var end: HostTime
  }

  let stream: Int32
  private(set) var waiting: [Waiting] = []
  private var number: Int32 = 0

  /// Most that wait for one member; more are not taken.
  static let most = 64
  /// Most that are sent again at once.
  static let window = 16
  /// 60 ms is past most round trips on bad Wi-Fi.
  static let firstPause = 0.06
  static let longestPause = 0.5
  /// Seconds after which something is given up: who has not answered by then is as good as gone.
  static let patience = 5.0

  init(stream: Int32) { self.stream = stream }

  /// Puts something in line; nil where the line is full.
  mutating func add(_ letter: PlayLetter, at now: HostTime) -> PlayLetter? {
    guard waiting.count < Self.most else { return nil }
    number &+= 1
    var letter = letter
    (letter.stream, letter.number) = (stream, number)
    letter.first = waiting.first?.letter.number ?? number
    waiting.append(
      Waiting(
        letter: letter, next: now.advanced(bySeconds: Self.firstPause),
        end: now.advanced(bySeconds: Self.patience)))
    return letter
  }

  /// Takes in that all before a number have come; whether it is of this stream.
  @discardableResult
  mutating func take(_ receipt: PlayReceipt) -> Bool {
    guard receipt.stream == stream, receipt.next <= number &+ 1 else { return false }
    waiting.removeAll { $0.letter.number < receipt.next }
    return true
  }

  /// What is to be sent again, and what is given up.
  mutating func due(at now: HostTime) -> (letters: [PlayLetter], givenUp: [PlayLetter]) {
    let givenUp = waiting.filter { $0.end <= now }.map(\.letter)
    if !givenUp.isEmpty { waiting.removeAll { $0.end <= now } }
    var letters: [PlayLetter] = []
    for place in waiting.indices.prefix(Self.window) where waiting[place].next <= now {
      waiting[place].letter.first = waiting[0].letter.number
      waiting[place].next = now.advanced(bySeconds: waiting[place].pause)
      waiting[place].pause = min(2 * waiting[place].pause, Self.longestPause)
      letters.append(waiting[place].letter)
    }
    return (letters, givenUp)
  }

  /// When something is due next.
  var next: HostTime {
    var next = HostTime.distantFuture
    for place in waiting.indices {
      next = min(next, waiting[place].end)
      if place < Self.window { next = min(next, waiting[place].next) }
    }
    return next
  }

  mutating func shift(by nanoseconds: Int64) {
    for place in waiting.indices {
      waiting[place].next = waiting[place].next.advanced(byNanoseconds: nanoseconds)
      waiting[place].end = waiting[place].end.advanced(byNanoseconds: nanoseconds)
    }
  }
}

/// A parameter's newest value on its way to one member.
struct LatestOutbox: Sendable {
  var letter: PlayLetter
  var name: String
  var next: HostTime
  /// When a value was sent last.
  var sent = HostTime.distantPast
  /// Pauses after which it is said again, since nobody acknowledges it.
  var pauses: ArraySlice<Double> = [0.1, 0.3, 1]

  /// Most values that are on their way to one member.
  static let most = 64
  /// Seconds from one value to the next.
  static let interval = 0.04

  /// What is to be sent.
  mutating func due(at now: HostTime) -> PlayLetter? {
    guard next <= now else { return nil }
    sent = now
    next = pauses.popFirst().map { now.advanced(bySeconds: $0) } ?? .distantFuture
    return letter
  }
  /// Whether it has been said for the last time.
  var isDone: Bool { next == .distantFuture }
}
