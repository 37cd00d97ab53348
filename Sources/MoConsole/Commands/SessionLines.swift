import MoCore
import MoInstruments
import MoOrchestra
import Synchronization

/// The commands of `momu session`, typed or sent by a script; programs that play accept them after `:`.
package enum SessionLines {
  /// The first words of all commands.
  package static let words =
    [
      "start", "stop", "tempo", "meter", "baton", "give", "ask", "join", "lift", "ignore", "unignore",
      "panic",
      "unpanic", "check", "help",
    ]
    + PlayLines.words + SectionLines.words + TalkLines.words + MarkLines.words

  /// Starts a thread that reads and executes commands from standard input, a line each, until the end of the input.
  ///
  /// While the program is in the background of its terminal, the thread waits.
  package static func read() {
    _ = try? MoThread(name: "mo-lines") { _ in
      while true {
        KeyboardTerminal.awaitLine()
        guard let line = readLine() else { return }
        attempt(line)
      }
    }
  }

  /// Executes a typed line; if that fails, shows the error.
  static func attempt(_ line: String) {
    do {
      try execute(line)
    } catch {
      MoLog.log(.notice, "\(error)")
    }
  }

  /// Returns the words that may follow the typed text, for completion with Tab.
  package static func completions(after before: String) -> [String] {
    let words = split(before)
    let others = MoSession.members.filter { !$0.isMe }.map(\.displayName)
    let sections = MoSession.sections
    switch (words.first, words.count) {
    case (nil, _): return SessionLines.words.sorted()
    case ("give", 1), ("ignore", 1), ("unignore", 1): return others
    case ("section", 1), ("unsection", 1), ("mute", 1), ("unmute", 1), ("level", 1), ("solo", 1):
      return sections
    case ("cue", 1): return ["all"] + sections
    case ("cue", 2): return ["in", "out"]
    case ("tell", 1): return others + ["section"]
    case ("tell", 2) where words[1] == "section": return sections
    case ("tell", _), ("say", _): return []
    case ("section", _), ("unsection", _): return MoSession.members.map(\.displayName)
    case ("gates", 1): return ["democratic", "monarchic", "centralised", "stairs"]
    case ("gate", 2): return GateKind.allCases.map { "\($0)" }
    case ("gates", _), ("gate", 3...): return MoSession.members.map(\.displayName) + ["all"]
    default: return words.last == "to" ? others + sections.map { "section \($0)" } + ["all"] : ["to", "at"]
    }
  }

  /// Executes a typed line.
  ///
  /// The line may begin with `:`, as commands do in programs that play, since hints show commands in that form.
  package static func execute(_ typed: String) throws {
    let line = typed.first == ":" ? String(typed.dropFirst()) : typed
    let words = Self.split(line)
    let rest = words.dropFirst().joined(separator: " ")
    switch words.first {
    case nil: return
    case "help", "?":
      MoLog.log(
        .notice,
        "commands: \(Self.words.sorted().joined(separator: ", ")) (Tab completes them; Docs/Tool.md explains each)"
      )
    case "start": try start(words)
    case "stop": try MoSession.stopRhythm()
    case "baton": try MoSession.takeBaton()
    case "join": try MoSession.joinOtherPart()
    case "lift": try MoSession.liftConductorOnly()
    case "panic": try MoSession.panic()
    case "check": try check()
    case "tempo":
      guard words.count > 1, let tempo = Double(words[1]), Tempo.range.contains(tempo) else {
        throw LineError.value("tempo", "beats per minute from 20 to 999, such as tempo 96")
      }
      try MoSession.setTempo(Tempo(tempo), over: beats(words.dropFirst(2)))
    case "meter":
      guard let meter = Meter(rest) else { throw LineError.value("meter", "a meter such as meter 3/4") }
      try MoSession.setMeter(meter)
    case "give": try MoSession.handOver(to: member(rest, for: "give"))
    case "ask": try MoSession.askForBaton()
    case "unpanic": try MoSession.liftSilence()
    case "ignore": try MoSession.ignore(member(rest, for: "ignore"))
    case "unignore": try MoSession.ignore(member(rest, for: "unignore"), false)
    case .some(let word) where PlayLines.words.contains(word):
      try PlayLines.execute(word, Array(words.dropFirst()))
    case .some(let word) where SectionLines.words.contains(word):
      try SectionLines.execute(word, Array(words.dropFirst()))
    case .some(let word) where MarkLines.words.contains(word):
      try MarkLines.execute(word, Array(words.dropFirst()), at: Run.current.clock.now)
    case .some(let word) where TalkLines.words.contains(word): try TalkLines.execute(word, line)
    case .some(let word): throw LineError.unknown(word)
    }
  }

  /// The number of typed checks.
  private static let checks = Atomic<Int>(0)

  /// Begins a check, and logs its result when it is done; a check that another check replaces has no result.
  private static func check() throws {
    try MoSession.beginCheck()
    let number = checks.wrappingAdd(1, ordering: .relaxed).newValue
    // A member that does not answer must not delay the next line, such as `panic`.
    _ = try MoThread(name: "mo-check") { thread in
      while number == checks.load(ordering: .relaxed), let check = MoSession.check {
        if check.isDone { return MoLog.log(.notice, check.text()) }
        thread.sleep(for: .milliseconds(50))
      }
    }
  }

  /// Splits a line into words; a quoted text is one word, such as a name with spaces.
  ///
  /// A quoted text begins with a quote at the start of a word, and ends with the same quote at the end of a word. So
  /// the name O'Brien needs no quotes.
  ///
  /// - Parameter most: the largest number of words; the last word is then the rest of the line as it was typed.
  package static func split(_ line: String, most: Int = .max) -> [String] {
    var words: [String] = []
    var rest = Substring(line)
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard let first = rest.first else { return words }
      guard words.count < most - 1 else { return words + [String(rest)] }
      if first == "\"" || first == "'", let end = closing(first, in: rest.dropFirst()) {
        words.append(String(rest[rest.index(after: rest.startIndex)..<end]))
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\t" }
        words.append(String(word))
        rest = rest.dropFirst(word.count)
      }
    }
  }

  /// Returns the index of the first `quote` that ends a word; nil if no word of `text` ends with `quote`.
  private static func closing(_ quote: Character, in text: Substring) -> Substring.Index? {
    text.indices.first { place in
      let after = text.index(after: place)
      return text[place] == quote && (after == text.endIndex || text[after] == " " || text[after] == "\t")
    }
  }

  /// Executes `start TEMPO BAR BARS`, such as `start 96 17 2`: the tempo, the first bar, and the number of count-in
  /// bars.
  private static func start(_ words: [String]) throws {
    let bar = words.count > 2 ? Int(words[2]) : 1
    let countIn = words.count > 3 ? Int(words[3]) : 0
    let tempo = words.count > 1 ? Double(words[1]) : nil
    guard words.count <= 4, words.count < 2 || tempo.map(Tempo.range.contains) == true, let bar,
      (1...9999).contains(bar), let countIn, (0...8).contains(countIn)
    else {
      throw LineError.value(
        "start", "a tempo, a bar from 1 and bars to count in, 0 to 8, such as start 96 17 2")
    }
    try MoSession.startRhythm(tempo: tempo.map { Tempo($0) }, bar: bar, countIn: countIn)
  }

  /// Returns the length of a gradual change from the words after the tempo, such as `8`; 0 without such words.
  private static func beats(_ words: ArraySlice<String>) throws -> Beats {
    guard let first = words.first else { return 0 }
    guard words.count == 1, let beats = Double(first), beats.isFinite, beats > 0 else {
      throw LineError.value(
        "tempo", "the length of a gradual change as a number of beats above 0, such as tempo 140 8")
    }
    return Beats(beats)
  }

  private static func member(_ name: String, for command: String) throws -> MemberChoice {
    let others = MoSession.members.filter { !$0.isMe }
    guard !name.isEmpty else {
      let example = others.first.map { ", such as \($0.displayName)" } ?? ": no other member is in the room"
      throw LineError.value(command, "a member's name" + example)
    }
    guard let found = one(name, of: others.map(\.displayName)) else {
      throw SessionRefusal.unknownName(name, here: others.map(\.displayName))
    }
    return .member(found)
  }

  /// Returns the entry of `names` that equals `name` or, failing that, differs only in capitals; otherwise nil.
  ///
  /// If several entries differ from `name` only in capitals, the result is nil, too.
  package static func one(_ name: String, of names: [String]) -> String? {
    if names.contains(name) { return name }
    let near = names.filter { $0.lowercased() == name.lowercased() }
    return near.count == 1 ? near[0] : nil
  }

  package enum LineError: Error, CustomStringConvertible {
    case value(String, String)
    case unknown(String)

    package var description: String {
      switch self {
      case .value(let word, let wants): "\(word) needs \(wants)"
      case .unknown(let word):
        "there is no command \"\(word)\": type one of " + SessionLines.words.joined(separator: ", ")
      }
    }
  }
}
