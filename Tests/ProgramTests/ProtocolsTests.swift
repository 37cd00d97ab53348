import MoTesting
import Testing

@Suite("Members on IPv4 and IPv6")
struct ProtocolsTests {
  @Test("machines with only IPv6, and one with both, share one room in time")
  func mixed() {
    let run = ProgramRun(
      shell:
        "unshare --net python3 '\(outside("two_protocols.py"))' '\(ProgramRun.folder)/momu' 6,46,6 2>/dev/null"
    )
    #expect(run.text == "well\n", "\(run.text)")
  }

  @Test(
    "messages to a name with an IPv4 and an IPv6 address go by IPv6 if there is no route by IPv4",
    .enabled(if: ProgramRun(shell: "unshare --mount true").status == 0, "needs root's mounts"))
  func noRoute() {
    let run = ProgramRun(
      shell: """
        cd $(mktemp -d); printf '10.9.9.9 both\\nfd00::5 both\\n' >hosts
        unshare --net --mount sh -c '
          mount --bind hosts /etc/hosts; ip link set lo up; ip addr add fd00::5/128 dev lo
          "$0" osc listen --port 47120 --count 1 >heard 2>/dev/null & listener=$!
          n=0; until grep -q :B810 /proc/net/udp6; do
            n=$((n + 1)); [ $n -lt 20000 ] || { kill $listener; exit 1; }
          done
          "$0" osc send both:47120 /a 7; wait $listener; cat heard
        ' '\(ProgramRun.folder)/momu'
        """)
    #expect(run.text.hasPrefix("[fd00::5]:") && run.text.contains("  /a i 7  "), "\(run.text)")
  }

  @Test("a check reports that all are ready, and names a member with another version, with status 1")
  func check() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("check.py"))' '\(ProgramRun.folder)/momu' 2>/dev/null")
    #expect(
      run.text == """
        ready: True 2 []
        names: True
        problems: []
        status: 1
                    Old uses version 1 of the session protocol, this program 2
        Not ready: the room.

        """)
  }
}
