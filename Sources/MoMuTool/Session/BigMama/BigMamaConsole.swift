import MoConsole
import MoCore
import MoOrchestra

/// The terminal interface of Big Mama: style, layers, volumes, tempo, and the players.
final class BigMamaConsole: Console {
  private let bigMama: BigMama
  private let prompt = CommandPrompt(": ")

  init(_ bigMama: BigMama) { self.bigMama = bigMama }

  /// Shows the console, and reads the terminal's keys.
  static func open(_ bigMama: BigMama, _ run: Run) {
    let console = BigMamaConsole(bigMama)
    run.open(console)
    console.prompt.listen(run)
  }

  func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    let state = bigMama.state.withLock { $0 }
    var blocks = BigMamaPicture(
      board: state.board, roster: state.roster, facts: RoomFacts.now() ?? RoomFacts(),
      gates: Self.gatesText, now: now, columns: columns
    ).blocks
    if let typed = prompt.block(columns: columns) { blocks[blocks.count - 1] = typed }
    return blocks
  }

  func handleKey(_ key: TerminalKey, at now: HostTime) {
    guard let key = BigMamaKey(key) else { return }
    let orders = bigMama.state.withLock { state in
      state.board.playerCount = state.roster.players.count
      return state.board.handleKey(key)
    }
    for order in orders {
      do { try execute(order, at: now) } catch { MoLog.log(.notice, BigMamaAdvice.text(error)) }
    }
  }

  private func execute(_ order: BigMamaSettings.Order, at now: HostTime) throws {
    let announced = MoSession.announced
    switch order {
    case .set(let name, let value): _ = try bigMama.band.set(name, to: value)
    case .players(let volume): bigMama.setPlayers(volume)
    case .player(let place, let more): bigMama.setVolume(ofPlayer: place, by: more)
    case .instrument(let place, let step): bigMama.setInstrument(ofPlayer: place, by: step)
    case .tempo(let more):
      try MoSession.setTempo(Tempo(announced.tempo + more))
    case .startOrStop:
      if announced.isPlaying {
        try MoSession.stopRhythm(at: .bar)
      } else {
        let style = Style.all[bigMama.state.withLock { $0.board.style }]
        let isFirst = MoSession.beat.tempo(at: now) == nil
        try MoSession.startRhythm(tempo: isFirst ? style.tempo : nil)
      }
    case .takeBaton: try RhythmTransport.takeOrAskForBaton()
    case .centralise: try Self.centralise(!Self.isCentral)
    case .panic: try MoSession.panic()
    }
  }

  /// Whether the gates let all members play to this machine, and to no other machine.
  static var isCentral: Bool {
    guard let mine = MoSession.members.first(where: \.isMe)?.identity.installation else { return false }
    return MoSession.gates == .centralised(mine)
  }

  private static var gatesText: String {
    if isCentral { return "all play to this machine" }
    return MoSession.gates == .democratic ? "all play to each other" : "some gates are closed"
  }

  /// Changes the gates so that all members play to this machine only or, if `isCentral` is false, to each other.
  static func centralise(_ isCentral: Bool) throws {
    guard isCentral else { return try MoSession.setGates(.democratic) }
    guard let me = MoSession.members.first(where: \.isMe) else { throw SessionError.notJoined }
    try MoSession.setGates(.centralised(.member(me)))
  }
}

/// The action of a key in the `BigMamaConsole`.
enum BigMamaKey: Equatable {
  /// The choice of a style of the band, by its index from 0.
  case style(Int)
  case layer(BigMamaSettings.Row)
  case choose(Int)
  case turn(Int)
  /// A change of the chosen player's instrument: 1 for the next in the list, -1 for the previous.
  case instrument(Int)
  /// A change of the tempo: the difference, in beats per minute.
  case tempo(Double)
  case startOrStop
  case takeBaton
  case centralise
  case panic

  /// Creates the action of a key; the result is nil for a key without an action.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .choose(-1)
    case .down: self = .choose(1)
    case .left: self = .turn(-1)
    case .right: self = .turn(1)
    case .character(let letter):
      switch letter {
      case "1"..."5": self = .style((letter.wholeNumberValue ?? 1) - 1)
      case "d": self = .layer(.drums)
      case "b": self = .layer(.bass)
      case "g": self = .layer(.guitar)
      case "k": self = .layer(.keys)
      case ",": self = .choose(-1)
      case ".": self = .choose(1)
      case "<": self = .turn(-1)
      case ">": self = .turn(1)
      case "i": self = .instrument(1)
      case "I": self = .instrument(-1)
      case "+", "=": self = .tempo(5)
      case "-", "_": self = .tempo(-5)
      case " ": self = .startOrStop
      case "t": self = .takeBaton
      case "c": self = .centralise
      case "!": self = .panic
      default: return nil
      }
    default: return nil
    }
  }
}
