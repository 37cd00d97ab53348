/// A datagram from another machine to a port of this machine.
struct ArrivingDatagram {
  var port: Int
  var interface: String
  /// Whether this is an IPv6 datagram; its source is then a link-local address.
  var isIPv6 = false
  /// The range of addresses that contains the datagram's source address; nil if the source may be any address.
  var sources: Subnet?
}

/// A firewall's decision about a datagram.
enum FilterVerdict {
  case accepted
  case refused
  /// The decision depends on an unknown fact, such as the sender's address.
  case unclear
}

extension Firewall {
  /// Returns the decision about a datagram, and the chain that refuses the datagram or may refuse it.
  ///
  /// The chain is nil if the datagram is accepted. The datagram must pass every input chain: a rule that accepts ends
  /// only its own chain, and a rule that drops ends all chains.
  func verdict(_ datagram: ArrivingDatagram) -> (verdict: FilterVerdict, by: FilterChain?) {
    var doubtful: FilterChain?
    let chains = datagram.isIPv6 ? chainsIPv6 : chains
    let entries = chains.compactMap { chain in chain.input.map { (chain, $0) } }
    for (chain, input) in entries.sorted(by: { $0.1.priority < $1.1.priority }) {
      var outcomes = outcomes(chain, in: chains, datagram, depth: 0)
      if outcomes.remove(.undecided) != nil { outcomes.insert(input.policy == .accept ? .accept : .drop) }
      if outcomes == [.drop] { return (.refused, chain) }
      if outcomes.contains(.drop) { doubtful = doubtful ?? chain }
    }
    return doubtful.map { (.unclear, $0) } ?? (.accepted, nil)
  }

  private enum Outcome { case accept, drop, undecided }

  /// Returns all possible outcomes of a chain.
  ///
  /// A rule with an unknown condition may match or not, so both its outcome and those of the later rules are possible.
  ///
  /// - Parameter depth: the number of jumps that led to the chain.
  private func outcomes(
    _ chain: FilterChain, in chains: [FilterChain], _ datagram: ArrivingDatagram, depth: Int
  ) -> Set<Outcome> {
    // The kernel allows 16 nested jumps.
    guard depth < 16 else { return [.undecided] }
    var found: Set<Outcome> = []
    for rule in chain.rules {
      let match = rule.conditions.map { datagram.matches($0) }.reduce(.yes, min)
      guard match > .no else { continue }
      var ends: Set<Outcome> = []
      switch rule.action {
      case .accept: ends = [.accept]
      case .drop: ends = [.drop]
      case .leave: ends = [.undecided]
      case .goOn: continue
      case .jump(let name), .goTo(let name):
        let inner = chains.first { $0.table == chain.table && $0.name == name }
        ends = inner.map { outcomes($0, in: chains, datagram, depth: depth + 1) } ?? [.undecided]
        if case .jump = rule.action, ends.remove(.undecided) != nil {
          found.formUnion(ends)
          continue
        }
      }
      found.formUnion(ends)
      if match == .yes { return found }
    }
    return found.union([.undecided])
  }
}

extension ArrivingDatagram {
  fileprivate enum Match: Int, Comparable {
    case no
    case maybe
    case yes

    static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
    func inverted(_ isInverted: Bool) -> Match { isInverted ? Match(rawValue: 2 - rawValue) ?? self : self }
  }

  fileprivate func matches(_ condition: FilterCondition) -> Match {
    switch condition {
    case .always: .yes
    case .never: .no
    case .unknown: .maybe
    case .ports(let ranges): ranges.contains { $0.contains(port) } ? .yes : .no
    case .interfaces(let names, let isNot):
      (names.contains { isNamed($0) } ? Match.yes : .no).inverted(isNot)
    case .sources(let blocks, let isNot): matches(blocks).inverted(isNot)
    }
  }

  private func isNamed(_ pattern: String) -> Bool {
    pattern.hasSuffix("*") || pattern.hasSuffix("+")
      ? interface.hasPrefix(pattern.dropLast()) : interface == pattern
  }

  private func matches(_ blocks: [Subnet]) -> Match {
    guard let sources else { return .maybe }
    if blocks.contains(where: { $0.contains(sources) }) { return .yes }
    return blocks.contains { $0.overlaps(sources) } ? .maybe : .no
  }
}
