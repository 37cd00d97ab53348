import MoOSC
import Testing

@Suite("Address patterns")
struct AddressPatternTests {
  @Test(
    "match as OSC 1.0 and 1.1 define",
    arguments: [
      ("/oscillator/4/frequency", "/oscillator/4/frequency"),
      ("/oscillator/?/frequency", "/oscillator/4/frequency"),
      ("/oscillator/[0-9]/*", "/oscillator/4/frequency"), ("/osc*/4/f*y", "/oscillator/4/frequency"),
      ("/{foo,bar}", "/foo"), ("/{foo,bar}", "/bar"), ("/x{,y}z", "/xz"), ("/x{,y}z", "/xyz"),
      ("/{a,ab}c", "/abc"),
      ("/[!a-c]", "/d"), ("/[a!]", "/!"), ("/[a-]", "/-"), ("/[-a]", "/-"), ("/[c-a]", "/b"),
      ("/[!-a]", "/b"),
      ("/*", "/"), ("/a*", "/a"), ("/**b", "/aab"), ("/a?c*", "/abcd"),
      ("//spherical", "/position/spherical"), ("//spherical", "/spherical"),
      ("//spherical", "/a/b/c/spherical"),
      ("/a//z", "/a/z"), ("/a//z", "/a/b/c/z"), ("//*", "/anything/at/all"), ("//b/*", "/a/b/c"),
      ("/{x,y}/[12]", "/y/2"),
    ])
  func matches(pattern: String, address: String) throws {
    #expect(try OSCAddressPattern(pattern).matches(address))
  }

  @Test(
    "match nothing else",
    arguments: [
      ("/a", "/ab"), ("/ab", "/a"), ("/?", "/"), ("/?", "/ab"), ("/*", "/a/b"), ("/a*b", "/a/b"),
      ("/[a-c]", "/d"),
      ("/[!a]", "/a"), ("/[!a]", "//"), ("/{foo,bar}", "/foobar"), ("/{foo,bar}", "/fo"),
      ("//hit", "/a/hits"),
      ("//hit", "/ahit"), ("/a//z", "/az"), ("/a//z", "/b/z"), ("/?", "/ö"),
    ])
  func matchesNot(pattern: String, address: String) throws {
    #expect(try !OSCAddressPattern(pattern).matches(address))
  }

  @Test("agree with an exhaustive matcher on all short patterns and addresses")
  func exhaustive() throws {
    var random = SplitMix64(state: 7)
    let pieces = ["a", "b", "/", "?", "*", "[ab]", "[!a]", "{a,ab}", "{,b}", "//", "ba"]
    var addresses = [""]
    for _ in 0..<6 {
      addresses += addresses.suffix(addresses.count).flatMap { [$0 + "a", $0 + "b", $0 + "/"] }
    }
    addresses = Array(Set(addresses)).filter { !$0.hasPrefix("/") && !$0.contains("//") }.map { "/" + $0 }
    for _ in 0..<400 {
      let chosen = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? "a"
      }
      // Adjacent slashes are one piece of pattern.
      let text = "/" + chosen.joined()
      guard !text.contains("///"), !(text.hasPrefix("//") && chosen[0] == "/") else { continue }
      let pattern = try OSCAddressPattern(text)
      for address in addresses {
        let expected = Naive.matches(Array(text), Array(address))
        #expect(pattern.matches(address) == expected, "\(text) and \(address)")
      }
    }
  }

  @Test("hostile patterns take no longer than others")
  func nasty() throws {
    let address = "/" + String(repeating: "a", count: 10_000)
    for text in [
      "/" + String(repeating: "*a", count: 120) + "b", "/" + String(repeating: "{a,aa,aaa}", count: 20) + "b",
      "/" + String(repeating: "{,a}*", count: 40) + "b", String(repeating: "//*", count: 80) + "/b",
    ] {
      #expect(try !OSCAddressPattern(text).matches(address))
    }
  }

  @Test(
    "report what is wrong with them",
    arguments: [
      ("drum", "the address 'drum' does not begin with '/'"), ("", "the address '' does not begin with '/'"),
      ("/a b", "the address '/a b' contains a space, which is not allowed in an address"),
      ("/a#", "the address '/a#' contains '#', which is not allowed in an address"),
      ("/a\n", "the address '/a\n' contains a control character, which is not allowed in an address"),
      ("/a,b", "the address '/a,b' contains ',', which is not allowed in an address"),
      ("/a]", "the address '/a]' contains ']', which is not allowed in an address"),
      (
        "/[\u{1B}[2J]e",
        "the address '/[\u{1B}[2J]e' contains a control character, which is not allowed in an address"
      ),
      (
        "/[\u{7F}]",
        "the address '/[\u{7F}]' contains a control character, which is not allowed in an address"
      ),
      ("/[a", "in the pattern '/[a' a '[' is not closed by ']'"),
      ("/{a", "in the pattern '/{a' a '{' is not closed by '}'"),
      ("/{a{b}", "in the pattern '/{a{b}' a '{' is inside another"),
      ("/{a/b}", "in the pattern '/{a/b}' a '/' is between '{' and '}'"),
    ])
  func refuses(text: String, why: String) {
    #expect(throws: OSCError.unsendable(why)) { try OSCAddressPattern(text) }
  }

  @Test("refuse a pattern with too many states; accept a plain address of any length")
  func long() throws {
    #expect(throws: OSCError.self) { try OSCAddressPattern("/" + String(repeating: "?", count: 300)) }
    let plain = "/" + String(repeating: "a", count: 3000)
    #expect(try OSCAddressPattern(plain).isLiteral && OSCAddressPattern(plain).matches(plain))
  }
}

/// A matcher that follows the text of the specification and tries everything.
private enum Naive {
  static func matches(_ pattern: [Character], _ address: [Character]) -> Bool {
    guard let first = pattern.first else { return address.isEmpty }
    let rest = Array(pattern.dropFirst())
    switch first {
    case "/" where rest.first == "/":
      // Any number of whole levels between a slash and the rest.
      guard address.first == "/" else { return false }
      let after = Array(rest.dropFirst())
      var tail = Array(address.dropFirst())
      while true {
        if matches(after, tail) { return true }
        guard let slash = tail.firstIndex(of: "/"), slash > 0 else { return false }
        tail = Array(tail[(slash + 1)...])
      }
    case "*":
      for length in 0...address.count {
        if address.prefix(length).contains("/") { return false }
        if matches(rest, Array(address.dropFirst(length))) { return true }
      }
      return false
    case "?": return address.first.map { $0 != "/" } == true && matches(rest, Array(address.dropFirst()))
    case "[":
      guard let close = rest.firstIndex(of: "]"), let letter = address.first, letter != "/" else {
        return false
      }
      let set = rest[..<close]
      let isIn = set.first == "!" ? !set.dropFirst().contains(letter) : set.contains(letter)
      return isIn && matches(Array(rest[(close + 1)...]), Array(address.dropFirst()))
    case "{":
      guard let close = rest.firstIndex(of: "}") else { return false }
      return rest[..<close].split(separator: ",", omittingEmptySubsequences: false).contains { word in
        address.starts(with: word)
          && matches(Array(rest[(close + 1)...]), Array(address.dropFirst(word.count)))
      }
    default: return address.first == first && matches(rest, Array(address.dropFirst()))
    }
  }
}
