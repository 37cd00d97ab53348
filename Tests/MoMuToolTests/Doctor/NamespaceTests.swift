import Glibc
import MoTesting
import Testing

/// Runs the doctor in real networks: kernel namespaces, each created for a test and removed after it.
@Suite("The doctor in network namespaces", .enabled(if: getuid() == 0, "needs root, to make networks"))
struct NamespaceTests {
  /// Runs the doctor in a namespace that `setUp` has prepared; returns its output with single spaces.
  private func doctor(_ setUp: String, _ arguments: String = "") -> (text: String, status: Int32) {
    let run = ProgramRun(
      shell: """
        ns=momu-$$; ip netns add $ns || exit 99; trap '[ -z "$peer" ] || kill $peer; ip netns del $ns' EXIT
        inside() { ip netns exec $ns "$@"; }
        ip -n $ns link set lo up
        ip -n $ns link add room0 type veth peer name far0
        \(setUp)
        inside '\(ProgramRun.folder)/momu' doctor \(arguments)
        """)
    return (run.text.split(whereSeparator: \.isWhitespace).joined(separator: " "), run.status)
  }

  private let room =
    "ip -n $ns address add 192.168.77.2/24 dev room0; ip -n $ns link set room0 up;"
    + "ip -n $ns address add 192.168.78.2/24 dev far0; ip -n $ns link set far0 up;"

  @Test("names an interface that is down, with the command that brings it up")
  func down() {
    let run = doctor("")
    #expect(run.text.contains("PROBLEM address far0 is down why:"))
    #expect(run.text.contains("fix: sudo ip link set far0 up"))
    #expect(run.status == 1)
  }

  @Test("without a multicast route, prints a command that adds it and solves the problem")
  func multicastRoute() {
    let sick = doctor(room)
    #expect(
      sick.text.contains("no route for multicast: sending to a group fails with \"Network is unreachable\""))
    #expect(sick.status == 1)
    let fix = "ip route add 224.0.0.0/4 dev far0"
    #expect(sick.text.contains("fix: sudo \(fix) "))
    let cured = doctor(room + "inside \(fix)")
    #expect(cured.text.contains("messages to groups such as 224.0.1.9 leave through far0"))
  }

  @Test("an interface with only IPv6 is not a problem for sessions")
  func ipv6Only() {
    let run = doctor("ip -n $ns link set room0 up; ip -n $ns link set far0 up;")
    #expect(run.text.contains("0 has an IPv6 address, fe80::"))
    #expect(run.text.contains("sessions work with it"))
    #expect(!run.text.contains("PROBLEM session"))
  }

  @Test("names an address without a broadcast address, with a command that adds it")
  func broadcast() {
    let sick = doctor(room)
    #expect(sick.text.contains("note broadcast 192.168.77.2 on room0 has no broadcast address why:"))
    let fix = (
      remove: "ip address del 192.168.77.2/24 dev room0",
      add: "ip address add 192.168.77.2/24 broadcast + dev room0"
    )
    #expect(sick.text.contains("fix: sudo \(fix.remove) && sudo \(fix.add) "))
    let cured = doctor(room + "inside \(fix.remove) && inside \(fix.add)")
    #expect(!cured.text.contains("192.168.77.2 on room0 has no broadcast address"))
    #expect(cured.text.contains("192.168.78.2 on far0 has no broadcast address"))
  }

  @Test("finds a closed nftables firewall, and prints a command that opens it")
  func firewall() {
    let closed =
      room + """
        inside nft 'table inet filter { chain input { type filter hook input priority 0; policy drop; \
        ct state established,related accept; udp dport 7000 accept; }; }'

        """
    let sick = doctor(closed)
    let place = "by the chain input of the table inet filter"
    #expect(sick.text.contains("PROBLEM firewall UDP port 6449 is closed on room0 \(place)"))
    let fix = "nft insert rule inet filter input udp dport 6449 accept"
    #expect(sick.text.contains("fix: sudo \(fix) "))
    #expect(doctor(closed + "inside \(fix)").text.contains("ok firewall UDP port 6449 is open"))
    #expect(doctor(closed, "--port 7000").text.contains("ok firewall UDP port 7000 is open"))
    #expect(doctor(room).text.contains("ok firewall no firewall"))
  }

  @Test("finds a tunnel whose default route takes multicast")
  func tunnel() {
    let run = doctor(
      room + "ip -n $ns tuntap add tun7 mode tun; ip -n $ns address add 10.8.0.2/24 dev tun7;"
        + "ip -n $ns link set tun7 up; ip -n $ns route add default dev tun7")
    #expect(run.text.contains("PROBLEM tunnel multicast goes into tun7, not to the room"))
    #expect(run.status == 1)
  }

  @Test("names the program that uses the port")
  func port() {
    let run = doctor(
      room + "ip netns exec $ns oscdump 6449 & peer=$!; until inside grep -q :1931 /proc/net/udp*; do :; done"
    )
    #expect(run.text.contains("UDP port 6449 is in use by oscdump (process "))
  }
}
