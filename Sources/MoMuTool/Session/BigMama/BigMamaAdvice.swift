import MoOrchestra

/// The texts for requests that the room refuses; the texts name the keys of Big Mama's console.
enum BigMamaAdvice {
  /// Returns the text for a refused key.
  static func text(_ error: any Error) -> String {
    switch error as? SessionRefusal {
    case .conducted(let name)?: "\(name) conducts: t asks for the baton"
    case .away(let name, _)?: "\(name) conducts and is not heard: t takes the baton"
    case .notConductor?:
      "only the conductor can do that: space starts a rhythm, t takes the baton or asks for it"
    case .noConductor?: "no other member conducts: t takes the baton"
    default: "\(error)"
    }
  }

  /// Returns the text for refused gates, such as `not all play here: t asks Ben for the baton`.
  ///
  /// A terminal of 40 columns may show only the first row of the text, so the key is at the start. While the reason is
  /// the same, the text is the same, so that it is reported once.
  static func gates(_ error: any Error) -> String {
    let advice =
      switch error as? SessionRefusal {
      case .conducted(let name)?: "t asks \(name) for the baton"
      case .away(let name, _)?: "t takes the baton, since \(name) conducts and is not heard"
      case .closed(let openers)? where !openers.isEmpty:
        "ask \(openers.prefix(3).joined(separator: " or ")) to open your rhythm gate "
          + "(gate 0.5 rhythm NAME all)"
      default: text(error)
      }
    return "not all play here: \(advice)"
  }
}
