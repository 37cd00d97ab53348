import Glibc
import MoCore
import MoSessionCore
import MoTesting
import Testing

@testable import MoOrchestra

@Suite("The installation's identity")
struct InstallationTests {
  private let folder = Scratch()

  private var environment: [String: String] { ["XDG_STATE_HOME": folder.path] }
  private var key: String { "\(folder.path)/momu/session-key" }

  private func rights(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  private func put(_ text: String, _ path: String) {
    mkdir("\(folder.path)/momu", 0o700)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    _ = text.withCString { write(file, $0, strlen($0)) }
    close(file)
  }

  @Test("derives the ID from its key, the same at each start, and no other user can read the key")
  func kept() throws {
    let first = Installation(environment, machine: 7)
    let key = try #require(first.key)
    #expect(first.memory.installation == MemberID(key.installation))
    #expect(first.problem == nil && first.notices.isEmpty)
    #expect(rights(self.key) == 0o600 && rights("\(folder.path)/momu/session") == 0o600)
    let again = Installation(environment, machine: 7)
    #expect(again.memory.installation == first.memory.installation && again.notices.isEmpty)
    #expect(InstallationSigner(key: key).installation(of: key.publicKey) == first.memory.installation)
    // Without libsodium, the file has the same ID.
    #expect(PeerCache(path: "\(folder.path)/momu/session").installation == first.memory.installation)
  }

  @Test("reports once that an installation without a key has a new ID")
  func before() {
    put("installation 00000000000000ad\nmember 10.0.0.5:6450 Lab\n", "\(folder.path)/momu/session")
    let first = Installation(environment, machine: 7)
    #expect(first.memory.places(in: "Lab").count == 1)
    #expect(first.notices.count == 1)
    #expect(first.notices.first?.contains("it was 00000000000000ad") == true)
    #expect(first.notices.first?.contains("--conductor-only \(first.memory.installation)") == true)
    #expect(Installation(environment, machine: 7).notices.isEmpty)
  }

  @Test(
    "gives each machine its own installation if two share a home folder or a copied disk")
  func twoMachines() {
    let first = Installation(environment, machine: 7)
    let second = Installation(environment, machine: 8)
    #expect(first.memory.installation != second.memory.installation)
    for (machine, installation) in [(7, first), (8, second), (7, first), (8, second)]
      as [(UInt64, Installation)]
    {
      let again = Installation(environment, machine: machine)
      #expect(again.memory.installation == installation.memory.installation)
    }
    #expect(rights("\(folder.path)/momu/session-0000000000000008-key") == 0o600)
  }

  @Test("keeps the new installation after a renewal")
  func renewed() throws {
    let first = Installation(environment, machine: 7).memory.installation
    let renewed = try Installation.renew(environment, machine: 7)
    #expect(renewed.before == first && renewed.now != first)
    let after = Installation(environment, machine: 7)
    #expect(after.memory.installation == renewed.now && after.notices.isEmpty)
  }

  @Test("names an invalid key file and keeps it; makes a readable key private, and reports it")
  func broken() {
    put("nonsense\n", key)
    let first = Installation(environment, machine: 7)
    #expect(first.problem?.contains("session-key holds no key: type momu session renew") == true)
    #expect(Installation(environment, machine: 7).memory.installation != first.memory.installation)
    unlink(key)
    let second = Installation(environment, machine: 7)
    #expect(second.problem == nil)
    chmod(key, 0o644)
    let third = Installation(environment, machine: 7)
    #expect(third.notices.contains { $0.contains("other users of this machine could read") })
    #expect(rights(key) == 0o600)
    #expect(third.memory.installation == second.memory.installation)
  }

  @Test("makes a new installation at each start, and names the reason, if nothing can be saved")
  func unkept() {
    let (first, second) = (Installation(["HOME": "/proc"]), Installation(["HOME": "/proc"]))
    #expect(first.memory.installation != second.memory.installation)
    #expect(first.problem?.hasPrefix("/proc/.local/state/momu/session: ") == true)
    #expect(Installation([:]).problem == "neither XDG_STATE_HOME nor HOME is set")
  }

  // MARK: addresses of members

  private func endpoint(_ address: String) throws -> SessionEndpoint {
    try #require(SessionEndpoint(typed: address))
  }

  @Test(
    "saves a member's address for its room only, and only if it is private, link-local or of this network"
  )
  func places() throws {
    var memory = PeerCache(path: nil)
    for address in ["192.168.0.5", "10.1.2.3", "172.16.0.1", "169.254.3.4", "127.0.0.1", "100.64.0.1"] {
      #expect(memory.store(try endpoint(address), in: "Lab"), "\(address)")
    }
    // Public addresses: those that RFC 5737 reserves for examples may be the network of a machine that runs tests.
    for address in ["1.1.1.1", "9.9.9.9", "8.8.8.8", "172.32.0.1", "172.15.255.255", "100.128.0.1"] {
      #expect(!memory.store(try endpoint(address), in: "Lab"), "\(address)")
    }
    #expect(memory.places(in: "Lab").count == 6)
    #expect(memory.places(in: "Anna's therapy").isEmpty)
  }

  @Test("a room with hundreds of members does not displace the addresses of other rooms")
  func bounded() throws {
    var memory = PeerCache(path: nil)
    _ = memory.store(try endpoint("192.168.0.5"), in: "Hall")
    for number in 1...200 { _ = memory.store(try endpoint("10.0.0.\(number)"), in: "Lab") }
    #expect(memory.places(in: "Lab").count == 16)
    #expect(memory.places(in: "Lab").last == (try endpoint("10.0.0.200")))
    #expect(memory.places(in: "Hall").count == 1)
  }

  @Test("matches IPv4 and IPv6 addresses to a link by an interface's mask")
  func onLink() throws {
    let four = try endpoint("203.0.113.200")
    #expect(four.isIn([203, 0, 113, 1], mask: [255, 255, 255, 0]))
    #expect(four.isIn([203, 0, 113, 193], mask: [255, 255, 255, 192]))
    #expect(!four.isIn([203, 0, 113, 1], mask: [255, 255, 255, 128]))
    #expect(!four.isIn([203, 0, 113, 200], mask: [0, 0, 0, 0]))
    // The documentation network of RFC 3849.
    let six = SessionEndpoint(high: 0x2001_0DB8_0000_0001, low: 7, port: 6450, isIPv6: true)
    let mask = [UInt8](repeating: 255, count: 8) + [UInt8](repeating: 0, count: 8)
    #expect(six.isIn([0x20, 1, 0x0D, 0xB8, 0, 0, 0, 1] + [UInt8](repeating: 9, count: 8), mask: mask))
    #expect(!six.isIn([0x20, 1, 0x0D, 0xB8, 0, 0, 0, 2] + [UInt8](repeating: 9, count: 8), mask: mask))
    #expect(!six.isIn([203, 0, 113, 1], mask: [255, 0, 0, 0]))
  }

  // MARK: real keys

  /// Lets members of a room exchange datagrams without delay for the given number of seconds.
  private func meet(_ cores: inout [SessionCore], seconds: Double) {
    func endpoint(_ index: Int) -> SessionEndpoint {
      SessionEndpoint(high: UInt64(0x0A00_0001 + index) << 32, port: 6450)
    }
    for step in 0..<Int(seconds * 50) {
      let now = HostTime(seconds: 1000 + Double(step) * 0.02)
      for index in cores.indices { cores[index].tick(at: now) }
      for from in cores.indices {
        for outgoing in cores[from].drainOutgoing() {
          for to in cores.indices where to != from {
            if case .one(let place) = outgoing.destination, place != endpoint(to) { continue }
            cores[to].receive(outgoing.datagram, from: endpoint(from), at: now, now: now)
          }
        }
      }
    }
  }

  @Test(
    "members with real keys agree on a state, and reject a member that claims another's installation")
  func realKeys() throws {
    let keys = try (0..<3).map { _ in try InstallationKey() }
    var cores = keys.indices.map { index in
      // The third claims to be the first.
      let claimed = MemberID(keys[index == 2 ? 0 : index].installation)
      let identity = SessionIdentity(
        member: MemberID(UInt64(index + 1)), installation: claimed, name: "p\(index)", program: "test",
        release: "1")
      var settings = SessionCore.Settings(room: "Lab", identity: identity)
      (settings.signer, settings.secret) = (InstallationSigner(key: keys[index]), UInt64(index + 7))
      return SessionCore(settings, now: HostTime(seconds: 1000))
    }
    meet(&cores, seconds: 3)
    let now = HostTime(seconds: 1003)
    // The third accepts the others, but they reject it.
    #expect(cores.map { $0.roster(at: now).count } == [2, 2, 3])
    #expect(cores[0].counts.forged > 0 && cores[1].counts.forged > 0)
    try cores[0].setGates(.monarchic(MemberID(keys[0].installation)), now: now)
    #expect(cores[0].state.version > cores[1].state.version)
    for outgoing in cores[0].drainOutgoing() {
      cores[1].receive(
        outgoing.datagram, from: SessionEndpoint(high: 0x0A00_0001 << 32, port: 6450), at: now, now: now)
    }
    #expect(cores[1].state.version == cores[0].state.version)
  }
}
