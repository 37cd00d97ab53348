import Glibc
import MoTesting
import Testing

/// Two network namespaces with a wire between them, isolated from this machine's network.
@Suite("Two machines on a wire", .enabled(if: getuid() == 0, "needs root, to make networks"))
struct TwoMachinesTests {
  /// Runs `line`, in which `here` (192.168.77.2) and `there` (192.168.77.3) run a command on one of the machines.
  private func run(_ line: String) -> ProgramRun {
    ProgramRun(
      shell: """
        momu='\(ProgramRun.folder)/momu'; a=momu-a-$$; b=momu-b-$$; d=$(mktemp -d); touch $d/out $d/err
        trap '[ -z "$peer" ] || kill $peer; ip netns del $a; ip netns del $b; rm -r $d' EXIT
        ip netns add $a && ip netns add $b || exit 99
        here() { ip netns exec $a "$@"; }; there() { ip netns exec $b "$@"; }
        await() { n=0; until "$@"; do n=$((n + 1)); [ $n -lt 20000 ] || { echo "gave up: $*"; exit 1; }; done; }
        ip link add wire0 netns $a type veth peer name wire0 netns $b
        ip -n $a address add 192.168.77.2/24 brd + dev wire0; ip -n $a link set wire0 up
        ip -n $b address add 192.168.77.3/24 brd + dev wire0; ip -n $b link set wire0 up
        isUp() { ip -n $1 link show wire0 | grep -q 'state UP'; }; await isUp $a; await isUp $b
        \(line)
        """)
  }

  @Test(
    "if a firewall drops pings, the doctor there prints a command that opens it"
  )
  func firewall() {
    let run = run(
      """
      there nft 'table inet filter { chain input { type filter hook input priority 0; policy drop; }; }'
      ip netns exec $b $momu osc listen >$d/out 2>$d/err & peer=$!
      await grep -q listening $d/err
      here $momu osc ping --count 1 192.168.77.3
      there $momu doctor | sed -n 's/.*fix: sudo \\(nft insert .*\\)/\\1/p' >$d/fixes
      while read -r fix; do echo "typed: $fix"; there $fix; done <$d/fixes
      here $momu osc ping --count 3 --interval 0.001 192.168.77.3
      """)
    #expect(run.text.contains("1 sent, 0 answered, 1 lost (100 %)\nno answer from 192.168.77.3:6449\n"))
    #expect(run.text.contains("\ntyped: nft insert rule inet filter input udp dport 6449 accept\n"))
    #expect(run.text.contains("\ntyped: nft insert rule inet filter input udp dport 6450 accept\n"))
    #expect(run.text.contains("\n3 sent, 3 answered, 0 lost (0 %)\n"))
    #expect(run.status == 0)
  }

  @Test("broadcast and multicast reach the other machine with their sender")
  func groups() {
    let run = run(
      """
      ip netns exec $b $momu osc listen --join 224.0.1.9 --count 2 >$d/out 2>$d/err & peer=$!
      await grep -q listening $d/err
      here $momu osc send broadcast:6449 /broadcast
      here $momu osc send 224.0.1.9%wire0:6449 /group
      await grep -q /group $d/out; cat $d/out $d/err
      """)
    for address in ["/broadcast", "/group"] {
      #expect(
        run.lines.contains { $0.hasPrefix("192.168.77.2:") && $0.contains("  \(address)  ") }, "\(run.text)")
    }
    #expect(run.text.contains("listening on UDP port 6449: send to 192.168.77.3:6449, on this machine to"))
  }

  @Test("broadcast reaches the other machine even if the address has no broadcast address")
  func plainAddress() {
    let run = run(
      """
      ip -n $a address del 192.168.77.2/24 dev wire0; ip -n $a address add 192.168.77.2/24 dev wire0
      ip netns exec $b $momu osc listen --count 1 >$d/out 2>$d/err & peer=$!
      await grep -q listening $d/err
      here $momu osc send broadcast:6449 /broadcast
      await grep -q /broadcast $d/out; cat $d/out
      """)
    #expect(run.lines.contains { $0.hasPrefix("192.168.77.2:") && $0.contains("/broadcast") }, "\(run.text)")
  }

  @Test("a listener keeps receiving, also from its group, when its interface is replaced")
  func interfaceChanges() {
    let run = run(
      """
      ip netns exec $b $momu osc listen --join 224.0.1.9 >$d/out 2>$d/err & peer=$!
      await grep -q listening $d/err
      heard() { here $momu osc send "$1" "$2"; grep -q " $2 " $d/out; }
      await heard 192.168.77.3:6449 /before
      ip -n $b link set wire0 down; ip -n $b link set wire0 up; await isUp $b
      await heard 192.168.77.3:6449 /back; await heard 224.0.1.9%wire0:6449 /group-back
      ip -n $b link del wire0
      ip link add wire0 netns $a type veth peer name other netns $b
      ip -n $a address add 192.168.78.2/24 brd + dev wire0; ip -n $a link set wire0 up
      ip -n $b address add 192.168.78.3/24 brd + dev other; ip -n $b link set other up; await isUp $a
      await heard 192.168.78.3:6449 /other; await heard 224.0.1.9%wire0:6449 /group-other
      await heard broadcast:6449 /broadcast-other
      echo all heard
      """)
    #expect(run.lines.last == "all heard", "\(run.text)")
  }
}
