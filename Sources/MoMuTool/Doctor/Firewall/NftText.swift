/// Parses the output of `nft list ruleset` into the chains for IPv4 packets or, if `isIPv6` is true, for IPv6 packets.
func parseNft(_ text: String, isIPv6: Bool = false) -> [FilterChain] {
  var chains: [FilterChain] = []
  var table: String?
  var chain: FilterChain?
  // Sets and maps in a table are skipped; rules that use them are unknown.
  var depth = 0
  for line in text.split(separator: "\n").map(\.trimmed) where !line.hasPrefix("#") {
    // A table with an owner has the owner's name behind the brace, in a comment.
    let words = Array(nftWords(line).prefix { $0 != "#" })
    if words.last == "{" {
      depth += 1
      if depth == 1, words.first == "table", words.count == 4 {
        table = [isIPv6 ? "ip6" : "ip", "inet"].contains(words[1]) ? "\(words[1]) \(words[2])" : nil
      } else if depth == 2, words.first == "chain", words.count == 3, let table {
        chain = FilterChain(language: .nft, table: table, name: String(words[1]))
      }
    } else if words == ["}"] {
      depth = max(0, depth - 1)
      if let done = chain, depth == 1 {
        chains.append(done)
        chain = nil
      }
    } else if words.first == "type" {
      if words.contains("input") { chain?.input = parseHook(words) }
    } else {
      chain?.rules.append(parseNftRule(words, isIPv6: isIPv6))
    }
  }
  return chains
}

/// Reads a line such as `type filter hook input priority filter + 10; policy drop;`.
private func parseHook(_ words: [Substring]) -> FilterChain.Input {
  let names = ["raw": -300, "mangle": -150, "dstnat": -100, "filter": 0, "security": 50, "srcnat": 100]
  let bare = words.map { $0.last == ";" ? $0.dropLast() : $0 }
  var priority = 0
  if let place = bare.firstIndex(of: "priority").map({ $0 + 1 }), place < bare.count {
    priority = names[String(bare[place])] ?? Int(bare[place]) ?? 0
    if place + 2 < bare.count, let offset = Int(bare[place + 2]) {
      priority += bare[place + 1] == "+" ? offset : bare[place + 1] == "-" ? -offset : 0
    }
  }
  return FilterChain.Input(priority: priority, policy: bare.last == "drop" ? .drop : .accept)
}

/// Splits a line into words; quoted text is one word, with its quotes.
func nftWords(_ line: Substring) -> [Substring] {
  var words: [Substring] = []
  var rest = line[...]
  while let start = rest.firstIndex(where: { $0 != " " && $0 != "\t" }) {
    rest = rest[start...]
    var end = rest.firstIndex(of: " ") ?? rest.endIndex
    if rest.first == "\"", let quote = rest.dropFirst().firstIndex(of: "\"") {
      end = rest.index(after: quote)
    }
    words.append(rest[..<end])
    rest = rest[end...]
  }
  return words
}

/// Parses a rule such as `iifname "eth0" udp dport { 6449, 7000-7010 } ct state new counter accept`.
///
/// An unknown expression becomes an unknown condition, which can make the firewall's verdict unclear.
///
/// - Parameter isIPv6: whether the rule is applied to IPv6 packets instead of IPv4 packets.
func parseNftRule(_ words: [Substring], isIPv6: Bool = false) -> FilterRule {
  var rule = FilterRule(conditions: [], action: .goOn)
  var rest = words[...]
  while let word = rest.popFirst() {
    switch word {
    case "accept": rule.action = .accept
    case "drop", "reject":
      // The words after reject only set the kind of refusal.
      rule.action = .drop
      return rule
    case "return": rule.action = .leave
    case "jump": rule.action = .jump(String(rest.popFirst() ?? ""))
    case "goto": rule.action = .goTo(String(rest.popFirst() ?? ""))
    case "continue": break
    case "counter": rest = rest.dropFirst(rest.first == "packets" ? 4 : 0)
    case "comment": rest = rest.dropFirst()
    case "log": skipLog(&rest)
    case "udp", "th":
      let isPort = rest.popFirst() == "dport"
      let (values, isNot) = values(&rest)
      let ranges = values.compactMap { portRange($0, separator: "-") }
      rule.conditions.append(isPort && !isNot && ranges.count == values.count ? .ports(ranges) : .unknown)
    case isIPv6 ? "ip6" : "ip":
      rule.conditions.append(condition(word, &rest, isIPv6: isIPv6))
    case "tcp", "icmp", "icmpv6", "ip", "ip6", "sctp", "dccp", "arp", "esp", "ah", "igmp":
      // A field of another protocol never matches a UDP packet of this family.
      rest = rest.dropFirst()
      _ = values(&rest)
      rule.conditions.append(.never)
    case "meta", "ct", "iif", "iifname": rule.conditions.append(condition(word, &rest, isIPv6: isIPv6))
    default:
      // The rest cannot be parsed; its last word is the verdict, if it is one.
      rule.conditions.append(.unknown)
      rule.action = lastVerdict(rest) ?? .goOn
      return rule
    }
  }
  return rule
}

private func condition(
  _ word: Substring, _ rest: inout ArraySlice<Substring>, isIPv6: Bool
) -> FilterCondition {
  let field = word.hasPrefix("iif") ? word : rest.popFirst() ?? ""
  let (values, isNot) = values(&rest)
  switch (word, field) {
  case (_, "iif"), (_, "iifname"):
    return values.first == "vmap"
      ? .unknown : .interfaces(values.map { $0.filter { $0 != "\"" } }, isNot: isNot)
  case ("meta", "l4proto"), ("ip", "protocol"), ("ip6", "nexthdr"):
    return (values.contains("udp") || values.contains("17")) != isNot ? .always : .never
  case ("meta", "nfproto"): return (values.contains(isIPv6 ? "ipv6" : "ipv4") != isNot) ? .always : .never
  case ("ct", "state"):
    // "ct state vmap { established : accept, … }": if the map has a verdict for new connections, it is unknown here.
    if values.first == "vmap" { return values.contains { $0.hasPrefix("new") } ? .unknown : .never }
    return values.contains("new") != isNot ? .always : .never
  case ("ct", "status"): return values == ["dnat"] && !isNot ? .never : .unknown
  case ("ip", "saddr"):
    let blocks = values.compactMap { Subnet($0) }
    return blocks.count == values.count ? .sources(blocks, isNot: isNot) : .unknown
  case ("ip6", "saddr"): return linkLocalSource(values, isNot: isNot)
  default: return .unknown
  }
}

/// Parses the values of a comparison: a single value, several values with commas, or a set in braces.
///
/// `isNot` is true if `!=` negates the comparison. For a verdict map, the first value is `vmap`.
private func values(_ rest: inout ArraySlice<Substring>) -> (values: [Substring], isNot: Bool) {
  var isNot = false
  if rest.first == "!=" || rest.first == "==" { isNot = rest.popFirst() == "!=" }
  var values: [Substring] = []
  if rest.first == "vmap", let word = rest.popFirst() { values.append(word) }
  if rest.first == "{" {
    rest = rest.dropFirst()
    while let word = rest.popFirst(), word != "}" {
      values += word.split(separator: ",")
    }
  } else if let word = rest.popFirst() {
    values += word.split(separator: ",")
  }
  return (values, isNot)
}

private func skipLog(_ rest: inout ArraySlice<Substring>) {
  let options: Set<Substring> = ["prefix", "level", "group", "flags", "snaplen", "queue-threshold"]
  while let word = rest.first, options.contains(word) { rest = rest.dropFirst(2) }
}

private func lastVerdict(_ rest: ArraySlice<Substring>) -> FilterRule.Action? {
  guard let last = rest.last(where: { !$0.hasPrefix("\"") && $0 != "comment" }) else { return nil }
  let before = rest.dropLast().last
  switch last {
  case "accept": return .accept
  case "drop": return .drop
  case "return": return .leave
  default:
    if before == "jump" { return .jump(String(last)) }
    if before == "goto" { return .goTo(String(last)) }
    return rest.contains("reject") ? .drop : nil
  }
}
