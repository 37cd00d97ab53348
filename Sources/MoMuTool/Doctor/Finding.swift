/// One thing that the doctor looked at, and what to do about it.
struct Finding: Equatable {
  enum Level: String, Comparable {
    case ok
    /// It may matter, or could not be seen.
    case note
    /// Messages will be lost, late, or not arrive.
    case problem

    static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
    private var rank: Int { self == .ok ? 0 : self == .note ? 1 : 2 }
  }

  var level: Level
  /// One word for what was looked at: address, multicast, wifi and so on.
  var topic: String
  /// What is so.
  var what: String
  /// Why it matters to music over the network.
  var why: String?
  /// What to type or do, a step a line.
  var fix: [String] = []

  static func ok(_ topic: String, _ what: String) -> Finding { Finding(level: .ok, topic: topic, what: what) }

  static func note(_ topic: String, _ what: String, why: String? = nil, fix: String...) -> Finding {
    Finding(level: .note, topic: topic, what: what, why: why, fix: fix)
  }

  static func problem(_ topic: String, _ what: String, why: String, fix: String...) -> Finding {
    Finding(level: .problem, topic: topic, what: what, why: why, fix: fix)
  }
}

/// What there is to say about the surroundings, in the order in which a packet would meet it.
func findings(_ surroundings: SystemSnapshot) -> [Finding] {
  let checks = [
    machineFindings, addressFindings, multicastFindings, broadcastFindings, tunnelFindings, wirelessFindings,
    neighbourFindings, firewallFindings, portFindings, sessionFindings, bufferFindings,
  ]
  return checks.flatMap { $0(surroundings) }
}
