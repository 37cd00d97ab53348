import MoNetwork
import MoOSC
import Testing

@Suite("Targets and errors")
struct NetTargetTests {
  @Test(
    "parses targets as people write them",
    arguments: [
      ("192.168.0.5:8888", "192.168.0.5:8888"), ("[::1]:7", "[::1]:7"),
      ("studio.local:65535", "studio.local:65535"),
      ("tcp:10.0.0.1:1", "tcp:10.0.0.1:1"), ("slip:[fd00::2]:99", "slip:[fd00::2]:99"), ("udp:a:9", "a:9"),
      ("broadcast:9", "broadcast:9"), ("broadcast%wlan0:9", "broadcast%wlan0:9"),
      ("224.0.1.9%wlan0:9", "224.0.1.9%wlan0:9"), ("[ff02::9%lo]:9", "[ff02::9%lo]:9"),
      ("[fe80::1%lo]:9", "[fe80::1%lo]:9"),
    ])
  func reads(text: String, shown: String) throws {
    #expect(try NetTarget(text).description == shown)
  }

  @Test(
    "refuses invalid targets with the reason",
    arguments: [
      ("", "the port is missing"), ("192.168.0.5", "the port is missing"),
      ("host:port", "the port is missing"),
      ("host:0", "a port must be 1 to 65535"), ("host:65536", "a port must be 1 to 65535"),
      ("host:-1", "a port must be 1 to 65535"),
      (":8888", "the host is missing"), ("my host:8888", "the host is missing"),
      ("tcp:8888", "the port is missing"),
      ("fe80::1:8888", "an IPv6 address must be in brackets, such as [::1]:8888"),
      (
        "[fe80::1]:9",
        "an address that begins with fe80: needs its interface, such as [fe80::1%wlan0]:9"
      ),
      ("[1:2]:9", "1:2 is not an IPv6 address"),
      ("tcp:broadcast:9", "a connection leads to one host, so tcp needs one address"),
    ])
  func refuses(text: String, why: String) {
    #expect(throws: NetError.badTarget(text, why: why)) { try NetTarget(text) }
  }

  @Test("error texts tell what happened and what to type")
  func texts() {
    let texts: [(NetError, String)] = [
      (
        .portTaken(6449, by: nil),
        "port 6449 is taken by another program: close it, or listen on another port with --net udp:6451 "
          + "(momu doctor shows which program has it)"
      ),
      (
        .portTaken(65_535, by: "chuck"),
        "port 65535 is taken by chuck: close it, or listen on another port with "
          + "--net udp:65534 (momu doctor shows which program has it)"
      ),
      (
        .portForbidden(80),
        "this user may not use port 80: choose one from 1024, such as --net udp:6449"
      ),
      (.badPort(0), "0 is not a port number: use 1 to 65535, such as 6449"),
      (
        .badTarget("x", why: "the port is missing"),
        "\"x\" is not a target: the port is missing; type 192.168.0.5:8888, name.local:8888, broadcast:8888, "
          + "224.0.1.9:8888 or tcp:192.168.0.5:8888"
      ),
      (
        .unknownHost("studio"),
        "unknown host studio: check the spelling, or use the address that 'hostname -I' prints on that machine"
      ),
      (
        .noRoute("10.9.9.9:1"),
        "no route to 10.9.9.9:1: connect this machine to that network (ip address shows its networks)"
      ),
      (
        .noInterface("wlan7", known: ["eth0", "lo"]),
        "interface wlan7 is missing or down: this machine has eth0, lo"
      ),
      (
        .disconnected("tcp:10.0.0.1:9", reason: "Connection refused"),
        "no connection to tcp:10.0.0.1:9: Connection refused; check that the program there is running and listens on TCP"
      ),
      (
        .tooLong(bytes: 70_000, most: 65_507),
        "the message has 70000 bytes, but must have at most 65507: send it in parts, or over tcp:"
      ),
      (
        .unsendable(.unsendable("the address 'a' does not begin with '/'")),
        "cannot be sent as OSC: the address 'a' does not begin with '/'"
      ),
      (.unknownSource("x"), "unknown source \"x\" for --net: use udp:6449, tape:FILE or none"),
      (
        .noGroup("10.0.0.1"),
        "10.0.0.1 is not a multicast group: use 224.0.0.0 to 239.255.255.255, or ff00::/8"
      ),
    ]
    for (error, text) in texts { #expect(error.description == text) }
  }

  @Test("the error for an unknown interface lists the known ones")
  func noInterface() {
    let known = NetInterface.all().filter(\.isUp).map(\.name)
    #expect(throws: NetError.noInterface("nosuch0", known: known)) { try NetTarget("[fe80::1%nosuch0]:9") }
  }

  @Test("the errors occur as described")
  func happens() throws {
    let wire = try Wire()
    #expect(throws: NetError.portTaken(wire.port, by: "this program itself")) {
      try NetServer().listen(port: wire.port, in: wire.run)
    }
    let listener = RawConnection.Listener()
    #expect(throws: NetError.portTaken(listener.port, by: "this program itself")) {
      try NetServer().listenTCP(port: listener.port, in: wire.run)
    }
    #expect(throws: NetError.badPort(70_000)) { try NetServer().listen(port: 70_000, in: wire.run) }
    #expect(throws: NetError.unknownHost("nobody.invalid")) { try wire.send("/a", to: "nobody.invalid:9") }
    #expect(throws: NetError.tooLong(bytes: 65_520, most: 65_507)) {
      try wire.send("/a", [UInt8](repeating: 0, count: 65_508), to: "127.0.0.1:9")
    }
    #expect(throws: NetError.unsendable(.unsendable("the address 'a' does not begin with '/'"))) {
      try wire.send("a", to: "127.0.0.1:9")
    }
    #expect(throws: NetError.self) { try wire.send("/a", to: "224.0.1.9%nosuch:9") }
    #expect(throws: NetError.disconnected("tcp:127.0.0.1:\(wire.port)", reason: "Connection refused")) {
      try wire.send("/a", to: "tcp:127.0.0.1:\(wire.port)")
    }
    #expect(throws: NetError.noGroup("10.0.0.1")) { try wire.server.join("10.0.0.1") }
    #expect(wire.server.statistics.unsent == 5)
  }

  @Test(
    "parses the sources of --net",
    arguments: [
      (nil, NetSource.udp(port: nil)), ("udp:9000", .udp(port: 9000)), ("udp", .udp(port: nil)),
      ("tape:a:b.osc", .tape(path: "a:b.osc")), ("none", .none),
    ] as [(String?, NetSource)])
  func sources(text: String?, source: NetSource) throws {
    #expect(try NetSource(text) == source)
  }

  @Test("refuses unknown sources of --net", arguments: ["", "tape:", "tcp:1", "none:1", "udp:x"])
  func noSources(text: String) {
    #expect(throws: NetError.unknownSource(text)) { try NetSource(text) }
  }
}
