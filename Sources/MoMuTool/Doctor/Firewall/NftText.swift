/// Parses the output of `nft list ruleset` into the chains for IPv4 packets or, if `isIPv6` is true, for IPv6 packets.
func parseNft(_ text: String, isIPv6: Bool = false) -> [FilterChain] {
  var chains: [FilterChain] = []
  var table: String?
  var chain: FilterChain?
  // Sets and maps in a table are skipped; rules that use them are unknown.
  var depth = 0
  for line in text.split(separator: "\n").map(\.trimmed) where !line.hasPrefix("#") {
    let words = nftWords(line)
    if words.last == "{" {
      depth += 1
      if depth == 1, words.first == "table", words.count == 4 {
        table = [isIPv6 ? "ip6" : "ip", "inet"].contains(words[1]) ? "\(words[1]) \(words[2])" : nil
      } else if depth == 2, words.first == "chain", words.count == 3, let table {
        chain = FilterChain(language: .nft, table: table, name: String(words[1]))
      }
    } else if words == ["}"] {
      depth -= 1
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
