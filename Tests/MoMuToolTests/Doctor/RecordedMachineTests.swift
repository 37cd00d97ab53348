import Testing

@testable import MoMuTool

@Suite("The doctor on recorded machines")
struct RecordedMachineTests {
  @Test("in a guest Wi-Fi, names every problem with its fix")
  func guestWifi() throws {
    let found = try RecordedMachine("guest-wifi").findings()
    #expect(
      FindingText.plain(found, port: 6_449) == """
        The network, for OSC on UDP port 6449:

          ok       address     other machines reach this one at 192.168.1.20 (wlan0): enter that address and port 6449 there
          ok       multicast   messages to groups such as 224.0.1.9 leave through wlan0
          PROBLEM  wifi        power saving of wlan0 is on
                   why: its radio sleeps between packets, so they wait in the access point for a tenth of a second or more
                   fix: sudo iw dev wlan0 set power_save off
                        permanently, with NetworkManager: printf '[connection]\\nwifi.powersave = 2\\n' | sudo tee /etc/NetworkManager/conf.d/60-wifi-powersave.conf
          note     wifi        wlan0 receives its access point weakly (-76 dBm)
                   why: below -70 dBm, packets are retransmitted or lost
                   fix: move nearer, or use a cable
          note     neighbours  on wlan0 the router (192.168.1.1) answers, but no other machine does: 192.168.1.31, 192.168.1.32
                   why: they may be off; or the access point blocks traffic between its clients (client isolation), as in guest networks
                   fix: start `momu osc listen` on another machine, then type here: momu osc ping ITS-ADDRESS
                        if the ping fails: use another Wi-Fi or a phone's hotspot, or switch off client isolation (AP isolation, guest mode) in the access point
          note     firewall    ufw is on, and only root can read its rules
                   why: if a firewall closes UDP port 6449, messages from other machines are dropped silently
                   fix: sudo momu doctor --port 6449
                        to open the port: sudo ufw allow 6449/udp
                        and for sessions: sudo ufw allow 6450/udp
          ok       port        UDP port 6449 is free
          ok       session     UDP port 6450, which sessions share, is free; members find each other in the group 239.255.64.50, for IPv6 in ff12::efff:4032
          note     buffer      the kernel buffers only 212992 bytes for a program
                   why: of a burst of more than about 512 small messages, the rest is lost; since this machine started, 812 datagrams were lost
                   fix: echo net.core.rmem_max=4194304 | sudo tee /etc/sysctl.d/60-momu.conf && sudo sysctl --system

        1 problem, 4 notes.

        """)
  }

  @Test("with two cards, lists both addresses and the multicast interface, but not Docker's bridge")
  func twoCards() throws {
    let found = try RecordedMachine("two-cards").findings()
    let address = try #require(found.first { $0.topic == "address" })
    #expect(address.level == .note)
    #expect(address.what == "this machine has 2 addresses: 10.0.0.5 (eth0), 192.168.1.20 (wlan0)")
    #expect(
      address.why?.hasSuffix(
        "multicast and broadcast leave through eth0 only, unless you name another interface")
        == true)
    #expect(found.contains(.ok("neighbours", "other machines answer on eth0: 10.0.0.9")))
    #expect(found.contains(.ok("wifi", "power saving of wlan0 is off")))
    #expect(!found.contains { $0.level == .problem })
  }

  @Test("two cards in the same network are a problem")
  func sameNetwork() throws {
    var surroundings = try RecordedMachine("two-cards").surroundings()
    let wireless = try #require(surroundings.interfaces.firstIndex { $0.name == "wlan0" })
    surroundings.interfaces[wireless].addresses = [Subnet("10.0.0.77/24")].compactMap { $0 }
    let found = findings(surroundings).first { $0.topic == "address" }
    #expect(found?.what == "eth0 and wlan0 are in the same network, 10.0.0.77/24")
    #expect(found?.fix == ["turn wlan0 off: sudo ip link set wlan0 down"])
  }

  @Test(
    "finds machines whose network is not the room's",
    arguments: [
      ("container", "this is a container (docker) with its own network", "docker run --network host …"),
      (
        "windows", "this is WSL 2 behind the network address translation (NAT) of Windows",
        "networkingMode=mirrored"
      ),
      (
        "virtualbox",
        "this is a virtual machine (VirtualBox) behind the network address translation (NAT) of its host",
        "in VirtualBox: Machine > Settings > Network > Attached to: Bridged Adapter"
      ),
    ])
  func hidden(name: String, what: String, fix: String) throws {
    let found = try #require(RecordedMachine(name).findings().first { $0.topic == "machine" })
    #expect(found.level == .problem)
    #expect(found.what == what)
    #expect(found.fix.contains(fix))
  }

  @Test("a container's own network is no problem if other machines answer in it")
  func containersTogether() throws {
    var surroundings = try RecordedMachine("container").surroundings()
    let interface = try #require(surroundings.connected.first)
    let address = try #require(interface.addresses.first?.address)
    let other = IPv4(bits: address.bits ^ 4)
    surroundings.neighbours.append(Neighbour(address: other, interface: interface.name, answers: true))
    let found = try #require(findings(surroundings).first { $0.topic == "machine" })
    #expect(found.level == .note)
    #expect(found.what.hasSuffix("with its own network, in which other machines answer"))
  }

  @Test("WSL 2 with mirrored networking only gets a note about the firewall of Windows")
  func mirrored() throws {
    let found = try #require(RecordedMachine("windows-mirrored").findings().first { $0.topic == "machine" })
    #expect(found.level == .note)
    #expect(found.fix.first?.contains("New-NetFirewallHyperVRule") == true)
  }

  @Test("a bridged virtual machine is not a problem")
  func bridged() throws {
    var surroundings = try RecordedMachine("virtualbox").surroundings()
    surroundings.interfaces[0].addresses = [Subnet("192.168.1.60/24")].compactMap { $0 }
    #expect(findings(surroundings).first { $0.topic == "machine" }?.level == .ok)
  }

  @Test("a VPN with all routes takes multicast, and one with a more specific route takes the room's packets")
  func vpn() throws {
    let all = try #require(RecordedMachine("vpn").findings().first { $0.topic == "tunnel" })
    #expect(all.level == .problem)
    #expect(all.what == "multicast goes into tun0, not to the room")
    #expect(all.fix.first == "sudo ip route add 224.0.0.0/4 dev eth0")
    let narrow = try #require(RecordedMachine("vpn-narrow").findings().first { $0.topic == "tunnel" })
    #expect(narrow.level == .problem)
    #expect(narrow.what == "tun0 takes packets for the network 192.168.1.20/24")
  }

  @Test("without a cable, the address is the only problem")
  func unplugged() throws {
    let found = try RecordedMachine("unplugged").findings()
    #expect(
      found.first
        == .problem(
          "address", "eth0 has no cable, or its cable leads to no running device",
          why: "without an address, messages reach only this machine, at 127.0.0.1 or localhost",
          fix: "plug it in"))
    #expect(found.filter { $0.level == .problem }.count == 1)
  }

  @Test("names the program that uses the port, its losses, and whether it listens on loopback only")
  func portTaken() throws {
    let machine = try RecordedMachine("port-taken")
    let taken = machine.findings(port: 6_449).filter { $0.topic == "port" }
    #expect(
      taken.map(\.what) == [
        "UDP port 6449 is in use by chuck (process 1234)",
        "chuck (process 1234) has lost 17 messages on UDP port 6449",
      ])
    #expect(taken.first?.fix == ["to free it: kill 1234", "or use another port for yours: --net udp:6451"])
    let deaf = try #require(machine.findings(port: 6_450).first { $0.topic == "port" })
    #expect(deaf.level == .problem)
    #expect(deaf.what == "chuck (process 1234) listens on UDP port 6450 of 127.0.0.1 only")
    let hidden = machine.findings(port: 6_451).first { $0.topic == "port" }
    #expect(hidden?.what == "UDP port 6451 is in use by another user's program")
    #expect(machine.findings(port: 6_452).contains(.ok("port", "UDP port 6452 is free")))
  }

  @Test("JSON has the same findings, with escaped characters")
  func json() {
    let found = [Finding.note("wifi", "\"x\"\n", fix: "a\\b"), .ok("port", "free")]
    #expect(
      FindingText.json(found, port: 9) == #"""
        {"port":9,"problems":0,"findings":[{"level":"note","topic":"wifi","what":"\"x\"\n","why":null,"fix":["a\\b"]},{"level":"ok","topic":"port","what":"free","why":null,"fix":[]}]}

        """#)
  }
}
