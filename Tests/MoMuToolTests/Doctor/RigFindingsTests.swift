import Testing

@testable import MoMuTool

@Suite("The doctor's findings about a rig")
struct RigFindingsTests {
  private func findings(_ service: [String: String]?, problem: String? = nil) -> [Finding] {
    rigFindings(RigSituation(service: service, check: nil, problem: problem))
  }

  @Test("there are no findings without a service and a configuration")
  func none() {
    #expect(findings(nil).isEmpty)
    #expect(findings(["LoadState": "not-found", "ActiveState": "inactive"]).isEmpty)
  }

  @Test(
    "a running service is listed with its status, and a restarted one with the number of restarts")
  func runs() {
    var service = [
      "LoadState": "loaded", "ActiveState": "active", "NRestarts": "0",
      "StatusText": "2 of 3 sensors read, 1 of 1 target reached",
    ]
    #expect(
      findings(service) == [.ok("rig", "momu-rig runs: 2 of 3 sensors read, 1 of 1 target reached")])
    service["NRestarts"] = "7"
    #expect(findings(service).first?.level == .note)
    #expect(findings(service).first?.why == "systemd has restarted it 7 times since the machine started")
  }

  @Test("a service that fails in a loop, and a configuration that cannot be read, are problems")
  func fails() {
    let service = [
      "LoadState": "loaded", "ActiveState": "activating", "SubState": "auto-restart", "NRestarts": "115",
    ]
    let found = findings(service, problem: "/etc/momu/rig.conf: it is no text")
    #expect(found.map(\.level) == [.problem, .problem])
    #expect(found.last?.what == "momu-rig is activating (auto-restart), restarted 115 times")
  }
}
