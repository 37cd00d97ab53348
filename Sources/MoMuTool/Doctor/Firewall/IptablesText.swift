/// Parses the output of `iptables-save` or `ip6tables-save` into the chains of the table `filter`.
///
/// - Parameter isIPv6: whether the output is from `ip6tables-save`.
func parseIptables(_ text: String, isIPv6: Bool = false) -> [FilterChain] {
  var chains: [FilterChain] = []
  var table = ""
  for line in text.split(separator: "\n") {
    if line.hasPrefix("*") { table = String(line.dropFirst()) }
    guard table == "filter" else { continue }
    let words = line.split(separator: " ")
    if line.hasPrefix(":"), words.count >= 2 {
      let name = String(words[0].dropFirst())
      let policy: FilterChain.Policy = words[1] == "DROP" ? .drop : .accept
      chains.append(
        FilterChain(
          language: isIPv6 ? .ip6tables : .iptables, table: table, name: name,
          input: name == "INPUT" ? .init(priority: 0, policy: policy) : nil))
    } else if words.count > 2, words[0] == "-A", let chain = chains.firstIndex(where: { $0.name == words[1] })
    {
      chains[chain].rules.append(parseRule(words.dropFirst(2)))
    }
  }
  return chains
}

private func parseRule(_ words: ArraySlice<Substring>) -> FilterRule {
  var rule = FilterRule(conditions: [], action: .goOn)
  var rest = words
  var isNot = false
  func values() -> [Substring] { (rest.popFirst() ?? "").split(separator: ",") }
  while let word = rest.popFirst() {
    if word == "!" {
      isNot = true
      continue
    }
    defer { isNot = false }
    switch word {
    case "-j": rule.action = target(rest.popFirst() ?? "")
    case "-g": rule.action = .goTo(String(rest.popFirst() ?? ""))
    // The name of an extension matches nothing by itself; its options hold the conditions.
    case "-m": if rest.popFirst() == "limit" { rule.conditions.append(.unknown) }
    case "-p":
      let isUDP = ["udp", "all", "17"].contains(rest.popFirst() ?? "")
      rule.conditions.append(isUDP != isNot ? .always : .never)
    case "--dport", "--dports":
      let ranges = values().compactMap { portRange($0, separator: ":") }
      rule.conditions.append(isNot ? .unknown : .ports(ranges))
    case "-i": rule.conditions.append(.interfaces([String(rest.popFirst() ?? "")], isNot: isNot))
    case "-s":
      let texts = values()
      guard !texts.contains(where: { $0.contains(":") }) else {
        rule.conditions.append(linkLocalSource(texts, isNot: isNot))
        continue
      }
      let blocks = texts.compactMap { Subnet($0) }
      rule.conditions.append(blocks.isEmpty ? .unknown : .sources(blocks, isNot: isNot))
    case "--state", "--ctstate":
      rule.conditions.append(values().contains("NEW") != isNot ? .always : .never)
    case "--comment", "--reject-with", "--log-prefix", "--log-level", "--limit", "--limit-burst":
      skipText(&rest)
    default: if word.hasPrefix("-") { rule.conditions.append(.unknown) }
    }
  }
  return rule
}

/// Returns the condition that an IPv6 packet comes from one of the sources or, if `isNot` is true, from none of them.
///
/// Members send from link-local addresses. If the sources contain the range of these addresses, `fe80::/10` or
/// `fe80::/64`, the result is `always` or, if `isNot` is true, `never`. For other sources, the result is `unknown`.
func linkLocalSource(_ sources: [Substring], isNot: Bool) -> FilterCondition {
  sources.contains("fe80::/10") || sources.contains("fe80::/64") ? isNot ? .never : .always : .unknown
}

/// Skips the value of an option; the value may be a quoted text of several words.
private func skipText(_ rest: inout ArraySlice<Substring>) {
  guard let first = rest.popFirst(), first.hasPrefix("\""), !(first.count > 1 && first.hasSuffix("\"")) else {
    return
  }
  while let next = rest.popFirst() {
    if next.hasSuffix("\"") { return }
  }
}

private func target(_ name: Substring) -> FilterRule.Action {
  switch name {
  case "ACCEPT": .accept
  case "DROP", "REJECT": .drop
  case "RETURN": .leave
  case "LOG", "NFLOG", "MARK", "CONNMARK", "SET", "TRACE", "CT", "": .goOn
  default: .jump(String(name))
  }
}

/// Parses a port such as `6449`, or a range such as `7000-7010` with `-` as the separator; nil for other texts.
func portRange(_ text: Substring, separator: Character) -> ClosedRange<Int>? {
  let ends = text.split(separator: separator).map { Int($0) }
  guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else { return nil }
  return first...last
}
