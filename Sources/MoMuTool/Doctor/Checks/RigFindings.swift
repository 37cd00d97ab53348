import MoRig

/// The service momu-rig, and its configuration.
struct RigSituation {
  /// What systemd says of the service, by the property's name; nil where there is no systemd.
  var service: [String: String]?
  /// What would not work, seen as the service; nil where there is no configuration.
  var check: RigCheck?
  /// Why the configuration cannot be read.
  var problem: String?
}

extension SystemReader {
  /// Reads how the rig's service is doing.
  func rig() -> RigSituation {
    var situation = RigSituation()
    let properties = "LoadState,ActiveState,SubState,NRestarts,StatusText"
    situation.service = run(["systemctl", "show", "momu-rig.service", "-p", properties]).map { text in
      var found: [String: String] = [:]
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1)
        if let name = parts.first { found[String(name)] = parts.count == 2 ? String(parts[1]) : "" }
      }
      return found
    }
    guard RigFile.usual.contains(where: { exists($0) }), root.isEmpty else { return situation }
    do {
      let access = ServiceUnit.read().map { RigAccess.service($0) } ?? .caller
      situation.check = RigCheck(try RigFile.reading(nil), as: access)
    } catch {
      situation.problem = "\(error)"
    }
    return situation
  }
}

/// Whether the rig runs, and all that its configuration names; nothing on a machine that has no rig.
func rigFindings(_ s: RigSituation) -> [Finding] {
  let topic = "rig"
  var found: [Finding] = []
  if let problem = s.problem {
    found.append(
      .problem(
        topic, problem, why: "the service waits until its configuration can be read",
        fix: "write it anew, then: sudo systemctl reload momu-rig"))
  }
  for problem in s.check?.reading.problems ?? [] {
    found.append(
      .problem(
        topic, "\(problem)", why: "what the line belongs to is left out; the rest of the rig runs",
        fix: "mend the line, then: sudo systemctl reload momu-rig"))
  }
  for remark in s.check?.remarks ?? [] {
    let what = (remark.title.map { "[\($0)] " } ?? "") + remark.text
    found.append(
      remark.weight == .fault
        ? .problem(topic, what, why: "the service sees it so", fix: "momu rig --check --as-service")
        : .note(topic, what))
  }
  guard let service = s.service, service["LoadState"] == "loaded" else {
    if s.check != nil {
      found.append(
        .note(
          topic, "there is a configuration, and no service momu-rig", fix: "Docs/Rig.md shows the service"))
    }
    return found
  }
  return found + serviceFindings(service, hasConfiguration: s.check != nil || s.problem != nil)
}

private func serviceFindings(_ service: [String: String], hasConfiguration: Bool) -> [Finding] {
  let topic = "rig"
  let status = service["StatusText"].map { $0.isEmpty ? "" : ": \($0)" } ?? ""
  let restarts = service["NRestarts"].flatMap { Int($0) } ?? 0
  switch service["ActiveState"] ?? "" {
  case "active" where restarts > 0:
    return [
      .note(
        topic, "momu-rig runs\(status)",
        why: "it was started again \(restarts) times since the machine started",
        fix: "journalctl -u momu-rig -b says why")
    ]
  case "active": return [.ok(topic, "momu-rig runs\(status)")]
  case "inactive" where !hasConfiguration:
    return [
      .note(
        topic, "momu-rig has no configuration, and is not started",
        fix: "momu rig --example | sudo tee \(RigFile.usual[0])", "sudo systemctl start momu-rig")
    ]
  case "inactive":
    return [
      .problem(
        topic, "momu-rig is not started", why: "nothing is read or sent",
        fix: "sudo systemctl enable --now momu-rig")
    ]
  case let state:
    return [
      .problem(
        topic, "momu-rig is \(state) (\(service["SubState"] ?? "")), started again \(restarts) times",
        why: "nothing is read or sent meanwhile", fix: "journalctl -u momu-rig -b says why")
    ]
  }
}
