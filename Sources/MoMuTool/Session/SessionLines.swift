import Glibc
import MoMu
import MoOrchestra
import MoTime

/// What is typed, or sent by a script, into `momu session`.
enum SessionLines {
  /// Reads lines until there are no more, on a thread of its own.
  static func read() {
    _ = try? MoThread(name: "lines") { _ in
      while let line = readLine() {
        do {
          try obey(line)
        } catch {
          complain("\(error)")
        }
      }
    }
  }

  /// Does what a line says.
  static func obey(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let rest = words.dropFirst().joined(separator: " ")
    switch words.first {
    case nil: return
    case "start": try start(words)
    case "stop": try MoSession.stop()
    case "baton": try MoSession.takeBaton()
    case "join": try MoSession.joinOtherPart()
    case "lift": try MoSession.liftConductorOnly()
    case "panic": try MoSession.panic()
    case "check":
      try MoSession.beginCheck()
      // A member that does not answer is waited for.
      while let check = MoSession.check, !check.isDone { usleep(50_000) }
      MoSession.check.map { complain($0.text()) }
    case "tempo":
      guard words.count > 1, let tempo = Double(words[1]), Tempo.range.contains(tempo) else {
        throw LineError.value("tempo", "a number of beats a minute from 20 to 999, such as tempo 96")
      }
      try MoSession.setTempo(tempo, over: words.count > 2 ? Double(words[2]) ?? 0 : 0)
    case "meter":
      guard let meter = Meter(rest) else { throw LineError.value("meter", "a meter such as meter 3/4") }
      try MoSession.setMeter(meter)
    case "give": try MoSession.handOver(to: member(rest))
    case "ignore": try MoSession.ignore(member(rest))
    case "unignore": try MoSession.ignore(member(rest), false)
    case .some(let word) where PlayLines.words.contains(word):
      try PlayLines.obey(word, Array(words.dropFirst()))
    case .some(let word) where SectionLines.words.contains(word):
      try SectionLines.obey(word, Array(words.dropFirst()))
    case .some(let word): throw LineError.unknown(word)
    }
  }

  /// `start TEMPO BAR BARS`: from which bar on, and how many are counted before it.
  private static func start(_ words: [String]) throws {
    let bar = words.count > 2 ? Int(words[2]) : 1
    let countIn = words.count > 3 ? Int(words[3]) : 0
    guard words.count <= 4, let bar, (1...9999).contains(bar), let countIn, (0...8).contains(countIn) else {
      throw LineError.value(
        "start", "a tempo, a bar from 1 and bars to count in, 0 to 8, such as start 96 17 2")
    }
    try MoSession.start(tempo: words.count > 1 ? readTempo(words[1]) : 120, bar: bar, countIn: countIn)
  }

  private static func member(_ name: String) throws -> MemberID {
    guard let found = MoSession.members.first(where: { $0.displayName == name && !$0.isMe }) else {
      throw LineError.nobody(name)
    }
    return found.identity.member
  }

  enum LineError: Error, CustomStringConvertible {
    case value(String, String)
    case unknown(String)
    case nobody(String)

    var description: String {
      switch self {
      case .value(let word, let wants): "\(word) wants \(wants)"
      case .unknown(let word):
        "there is no word \"\(word)\": start, stop, tempo, meter, baton, give, join, lift, ignore, unignore, panic, "
          + PlayLines.words.joined(separator: ", ") + ", " + SectionLines.words.joined(separator: ", ")
      case .nobody(let name): "nobody called \"\(name)\" is here"
      }
    }
  }
}
