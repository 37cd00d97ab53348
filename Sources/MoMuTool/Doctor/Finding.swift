/// A result of one of the doctor's checks, and its fix.
struct Finding: Equatable {
  enum Level: String, Comparable {
    case ok
    /// The result of the check may matter, or the check could not be made.
    case note
    /// Messages are lost or late, or a device cannot be used.
    case problem

    static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
    private var rank: Int { self == .ok ? 0 : self == .note ? 1 : 2 }
  }

  var level: Level
  /// The subject in one word: address, multicast, wifi and so on.
  var topic: String
  /// The fact that was found.
  var what: String
  /// The reason why the result matters; nil if no reason is needed.
  var why: String?
  /// The commands or actions that solve the problem; each element is a step.
  var fix: [String] = []

  static func ok(_ topic: String, _ what: String) -> Finding { Finding(level: .ok, topic: topic, what: what) }

  static func note(_ topic: String, _ what: String, why: String? = nil, fix: String...) -> Finding {
    Finding(level: .note, topic: topic, what: what, why: why, fix: fix)
  }

  static func problem(_ topic: String, _ what: String, why: String, fix: String...) -> Finding {
    Finding(level: .problem, topic: topic, what: what, why: why, fix: fix)
  }
}

/// Returns the findings about the network, in the order of a packet's path: from the machine and its addresses to
/// buffers.
func findings(_ surroundings: SystemSnapshot) -> [Finding] {
  let checks = [
    machineFindings, addressFindings, multicastFindings, broadcastFindings, tunnelFindings, wirelessFindings,
    neighbourFindings, firewallFindings, portFindings, sessionFindings, bufferFindings,
  ]
  return checks.flatMap { $0(surroundings) }
}
