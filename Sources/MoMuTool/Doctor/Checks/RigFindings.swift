import MoRig

/// The state of the service momu-rig and of its configuration.
struct RigSituation {
  /// The service's properties from systemd by name; nil without systemd.
  var service: [String: String]?
  /// The result of checking the configuration with the service's rights; nil if there is no readable configuration.
  var check: RigCheck?
  /// The reason why the configuration cannot be read; nil if it was read, or does not exist.
  var problem: String?
}

extension SystemReader {
  /// Reads the state of the service momu-rig and of its configuration.
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

/// Checks the rig's service and its configuration; no findings on a machine without a rig.
func rigFindings(_ s: RigSituation) -> [Finding] {
  let topic = "rig"
  var found: [Finding] = []
  if let problem = s.problem {
    found.append(
      .problem(
        topic, problem, why: "the service waits until its configuration can be read",
        fix: "write the configuration again, then: sudo systemctl reload momu-rig"))
  }
  for problem in s.check?.reading.problems ?? [] {
    found.append(
      .problem(
        topic, "\(problem)", why: "the section or setting of this line is ignored; the rest of the rig runs",
        fix: "correct the line, then: sudo systemctl reload momu-rig"))
  }
  for remark in s.check?.remarks ?? [] {
    let what = (remark.title.map { "[\($0)] " } ?? "") + remark.text
    found.append(
      remark.weight == .fault
        ? .problem(topic, what, why: "this fails in the service", fix: "momu rig --check --as-service")
        : .note(topic, what))
  }
  guard let service = s.service, service["LoadState"] == "loaded" else {
    if s.check != nil {
      found.append(
        .note(
          topic, "there is a configuration, but no service momu-rig",
          fix: "Docs/Rig.md shows how to install it"))
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
        why: "systemd has restarted it \(restarts) times since the machine started",
        fix: "journalctl -u momu-rig -b shows why")
    ]
  case "active": return [.ok(topic, "momu-rig runs\(status)")]
  case "inactive" where !hasConfiguration:
    return [
      .note(
        topic, "momu-rig has no configuration and is not running",
        fix: "momu rig --example | sudo tee \(RigFile.usual[0])", "sudo systemctl start momu-rig")
    ]
  case "inactive":
    return [
      .problem(
        topic, "momu-rig is not running", why: "it reads and sends nothing",
        fix: "sudo systemctl enable --now momu-rig")
    ]
  case let state:
    return [
      .problem(
        topic, "momu-rig is \(state) (\(service["SubState"] ?? "")), restarted \(restarts) times",
        why: "it reads and sends nothing", fix: "journalctl -u momu-rig -b shows why")
    ]
  }
}
