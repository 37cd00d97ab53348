import MoCore
import MoRuntime

/// The summary of a rig, for the journal once a day and at its end, and for systemd once a second.
struct RigSummary {
  private var since: HostTime
  private let begun: HostTime

  private static let day = 86_400.0

  init(since: HostTime) { (self.since, begun) = (since, since) }

  /// Returns the lines of the summary if a day has passed since the last summary; otherwise none.
  mutating func daily(of state: RigState, now: HostTime) -> [String] {
    guard now.seconds(since: since) >= Self.day else { return [] }
    since = now
    return lines(of: state, now: now)
  }

  /// Returns the lines of the summary at the rig's end; no lines if there were no messages for targets or outputs.
  func last(of state: RigState, now: HostTime) -> [String] {
    let hasWorked =
      state.targets.contains { $0.counts.messages > 0 } || state.outputs.contains { $0.counts.messages > 0 }
    return hasWorked ? lines(of: state, now: now) : []
  }

  private func lines(of state: RigState, now: HostTime) -> [String] {
    let seconds = Int(now.seconds(since: begun))
    var lines = state.targets.map { target in
      let counts = target.counts
      var text = "After \(seconds) s, \(target.name): \(counted(counts.messages, "message"))"
      if let arrived = counts.arrived { text += ", \(arrived) arrived" }
      // Without confirmation, messages that a network lost in silence are not known here.
      text += ", \(counts.lost) \(counts.arrived == nil ? "known to be lost" : "lost")"
      if counts.doubtful > 0 { text += ", \(counts.doubtful) more may be lost" }
      let (condition, from, absences, absent) = target.condition
      if case .away(let cause) = condition {
        text += "; not reached for \(Int(now.seconds(since: from))) s: \(cause)"
      } else if absences > 0 {
        text += "; not reached \(absences == 1 ? "once" : "\(absences) times"), \(Int(absent)) s in total"
      }
      return text
    }
    let sensors = state.streams.map { stream in
      let counts = stream.sender.counts
      let silence = counts.lastHeard.map { now.seconds(since: $0) }
      let note = silence.map { $0 >= 60 ? " (none for \(Int($0)) s)" : "" } ?? ""
      return "[\(stream.plan.title)] \(counts.readings)\(note)"
    }
    if !sensors.isEmpty { lines.append("After \(seconds) s, readings: \(sensors.joined(separator: ", "))") }
    if !state.outputs.isEmpty {
      let outputs = state.outputs.map { output in
        let counts = output.counts
        let ignored = counts.ignored > 0 ? " (\(counts.ignored) ignored)" : ""
        return "[\(output.plan.title)] \(counts.messages)\(ignored)"
      }
      lines.append("After \(seconds) s, messages for outputs: \(outputs.joined(separator: ", "))")
    }
    return lines
  }

  /// Returns a line such as `2 of 3 sensors read, 1 of 1 target reached; 1 problem: rig.conf:3: …`.
  static func status(of state: RigState) -> String {
    let read = state.streams.filter { $0.source.sensor.source() != nil }.count
    let reached = state.targets.filter { if case .away = $0.condition.condition { false } else { true } }
      .count
    var text =
      "\(read) of \(counted(state.streams.count, "sensor")) read, \(reached) of "
      + "\(counted(state.targets.count, "target")) reached"
    if !state.outputs.isEmpty {
      let driven = state.outputs.filter { $0.counts.level != nil }.count
      text += ", \(driven) of \(counted(state.outputs.count, "output")) driven"
    }
    let problems = state.problems
    if let first = problems.first { text += "; \(counted(problems.count, "problem")): \(first)" }
    return text
  }
}
