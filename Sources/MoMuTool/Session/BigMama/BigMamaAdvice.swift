import MoOrchestra

/// The texts for requests that the room refuses; the texts name the keys of Big Mama's console.
enum BigMamaAdvice {
  /// Returns the text for a refused key.
  ///
  /// A terminal of 40 columns may show only the first row of the text, so the key or the remedy is at the start.
  ///
  /// - Parameter isPlaying: whether the room's rhythm runs.
  static func text(_ error: any Error, isPlaying: Bool = MoSession.announced.isPlaying) -> String {
    switch error as? SessionRefusal {
    case .conducted(let name)?: "\(name) conducts: t asks for the baton"
    case .away(let name, _)?: "\(name) conducts and is not heard: t takes the baton"
    case .notConductor?:
      "only the conductor can do that: "
        + (isPlaying ? "t takes the baton or asks for it" : "space starts a rhythm")
    case .noConductor?:
      "no other member conducts: " + (isPlaying ? "t takes the baton" : "space starts a rhythm")
    case .closed(let openers)? where !openers.isEmpty:
      "\(opening(openers)): while it is closed, you cannot conduct, assign sections or set gates"
    default: "\(error)"
    }
  }

  /// Returns the remedy for a closed rhythm gate: the members that may open the gate, and their command.
  private static func opening(_ openers: [String]) -> String {
    "ask \(openers.prefix(3).joined(separator: " or ")) to open your rhythm gate (gate 0.5 rhythm NAME)"
  }

  /// Returns the text for refused gates, such as `not all play here: t asks Ben for the baton`.
  ///
  /// While the reason is the same, the text is the same, so that it is reported once.
  static func gates(_ error: any Error) -> String {
    let advice =
      switch error as? SessionRefusal {
      case .conducted(let name)?: "t asks \(name) for the baton"
      case .away(let name, _)?: "t takes the baton, since \(name) conducts and is not heard"
      case .closed(let openers)? where !openers.isEmpty: opening(openers)
      case .reserved?:
        "only another installation may conduct (--conductor-only); :lift ends this "
          + "after it has been away for 60 s"
      default: text(error)
      }
    return "not all play here: \(advice)"
  }
}
