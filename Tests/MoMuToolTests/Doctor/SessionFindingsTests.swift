import Testing

@testable import MoMuTool

@Suite("The doctor on the port and groups of sessions")
struct SessionFindingsTests {
  private func found(_ surroundings: SystemSnapshot) -> [Finding] {
    findings(surroundings).filter { $0.topic == "session" }
  }

  @Test("names each member on this machine once")
  func members() throws {
    let said = try found(RecordedMachine("session").surroundings())
    #expect(
      said == [
        .ok(
          "session",
          "UDP port 6450, which sessions share, is in use by momu (process 1234), Orchestra (process 1240); "
            + "members find each other in the group 239.255.64.50, for IPv6 in ff12::efff:4032")
      ])
  }

  @Test("a program that uses the port without a session is a problem, with the command that ends it")
  func stranger() throws {
    let said = try found(RecordedMachine("port-taken").surroundings())
    #expect(
      said == [
        .problem(
          "session",
          "UDP port 6450, which sessions share, is in use by chuck (process 1234), which is in no session",
          why: "programs here cannot join a session, or that program receives the session's messages",
          fix: "to free it: kill 1234")
      ])
    var hidden = try RecordedMachine("port-taken").surroundings()
    hidden.session.sockets[0].holder = nil
    #expect(found(hidden).first?.fix == ["sudo momu doctor   # shows the program"])
  }

  @Test("finds a firewall that is closed only for IPv6, and understands rules for link-local senders")
  func closedIPv6() throws {
    let rules = """
      table inet filter {
      	chain input {
      		type filter hook input priority filter; policy drop;
      		meta nfproto ipv4 udp dport 6450 accept
      		ip6 saddr fe80::/10 udp dport 7000 accept
      		ip saddr 192.168.0.0/16 accept
      	}
      }
      table ip6 other {
      	chain output {
      		type filter hook output priority filter; policy drop;
      	}
      }
      """
    var surroundings = try RecordedMachine("two-cards").surroundings()
    surroundings.firewall = Firewall(chains: parseNft(rules), chainsIPv6: parseNft(rules, isIPv6: true))
    #expect(surroundings.firewall.chains.count == 1 && surroundings.firewall.chainsIPv6.count == 2)
    func verdict(_ port: Int, isIPv6: Bool) -> FilterVerdict {
      surroundings.firewall.verdict(
        ArrivingDatagram(port: port, interface: "eth0", isIPv6: isIPv6, sources: nil)
      ).verdict
    }
    #expect(verdict(6450, isIPv6: true) == .refused)
    #expect(verdict(6450, isIPv6: false) == .accepted)
    #expect(verdict(7000, isIPv6: true) == .accepted)
    surroundings.interfaces = surroundings.interfaces.map {
      var interface = $0
      interface.addresses6 = ["fe80::5"]
      return interface
    }
    let said = found(surroundings)
    #expect(
      said.first
        == .problem(
          "session",
          "UDP port 6450, which sessions share, is closed on eth0 for IPv6 by the chain input of the table inet filter",
          why: "messages of members that have only IPv6 are dropped, so that these members are not found",
          fix: "sudo nft insert rule inet filter input udp dport 6450 accept",
          "to keep the rule, also add it to /etc/nftables.conf"))
  }

  @Test("finds a firewall that lets in OSC but no session, with the command that opens it")
  func closed() throws {
    var surroundings = try RecordedMachine("two-cards").surroundings()
    surroundings.firewall = Firewall(
      chains: parseNft(
        """
        table inet filter {
        	chain input {
        		type filter hook input priority filter; policy drop;
        		ct state { established, related } accept
        		udp dport 6449 accept
        	}
        }
        """))
    let said = found(surroundings)
    #expect(said.count == 2)
    #expect(
      said.first
        == .problem(
          "session",
          "UDP port 6450, which sessions share, is closed on eth0 by the chain input of the table inet filter",
          why: "messages of other members are dropped, so that these members are not found",
          fix: "sudo nft insert rule inet filter input udp dport 6450 accept",
          "to keep the rule, also add it to /etc/nftables.conf"))
    #expect(findings(surroundings).contains(.ok("firewall", "UDP port 6449 is open")))
  }
}
