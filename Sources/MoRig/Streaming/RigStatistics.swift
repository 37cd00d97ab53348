import MoCore
import MoOSC

/// The statistics of a rig, as OSC messages such as `/momu/rig`.
struct RigStatistics: Sendable {
  let rig: String
  let started: HostTime

  /// Returns all messages about a rig.
  func all(of state: RigState, now: HostTime) -> [OSCMessage] {
    let counts = state.targets.map(\.counts)
    let lost = counts.reduce(0) { $0 + $1.lost }
    let messages = counts.reduce(0) { $0 + $1.messages }
    return [ofRig(sent: messages - lost, unsent: lost, now: now)]
      + state.targets.map { ofTarget($0, now: now) }
      + state.streams.map { stream in
        let counts = stream.sender.counts
        return ofSensor(
          stream.plan.title, source: stream.source.sensor.source(), readings: counts.readings,
          messages: counts.messages, lastHeard: counts.lastHeard, now: now)
      }
      + state.outputs.map { ofOutput($0, now: now) }
      + state.problems.map { ofProblem($0) }
  }

  /// `/momu/rig ,sfhh`: the rig's name, seconds since the rig's start, messages sent, messages lost.
  func ofRig(sent: Int, unsent: Int, now: HostTime) -> OSCMessage {
    OSCMessage(
      "/momu/rig",
      [.string(rig), .float(Float(now.seconds(since: started))), .int64(Int64(sent)), .int64(Int64(unsent))])
  }

  /// `/momu/rig/target ,sssfhhhh`: the rig, the target, its condition (`unknown`, `reached` or the cause of a failure),
  /// and the seconds for which this condition has held; while the target is not reached, the seconds since the last
  /// contact.
  ///
  /// Then follow four numbers of messages: all messages, the lost messages, the messages that may be lost, and the
  /// messages that arrived by the receiver's count (-1 if the receiver confirms nothing).
  func ofTarget(_ target: RigTarget, now: HostTime) -> OSCMessage {
    let (condition, since, _, _) = target.condition
    let counts = target.counts
    let text =
      switch condition {
      case .unknown: "unknown"
      case .reached: "reached"
      case .away(let cause): cause.description
      }
    return OSCMessage(
      "/momu/rig/target",
      [
        .string(rig), .string(target.name), .string(text), .float(Float(now.seconds(since: since))),
        .int64(Int64(counts.messages)), .int64(Int64(counts.lost)), .int64(Int64(counts.doubtful)),
        .int64(Int64(counts.arrived ?? -1)),
      ])
  }

  /// `/momu/rig/sensor ,ssshhf`: the rig, the sensor as its heading names it, its source (empty while it waits for a
  /// device), the number of readings, the number of messages, and the seconds since the last reading (-1 before the
  /// first).
  func ofSensor(
    _ title: String, source: String?, readings: Int, messages: Int, lastHeard: HostTime?, now: HostTime
  ) -> OSCMessage {
    let age = lastHeard.map { max(0, Float(now.seconds(since: $0))) } ?? -1
    return OSCMessage(
      "/momu/rig/sensor",
      [
        .string(rig), .string(title), .string(source ?? ""), .int64(Int64(readings)), .int64(Int64(messages)),
        .float(age),
      ])
  }

  /// `/momu/rig/output ,ssfhhf`: the rig, the output as its heading names it, its value (-1 while its device is
  /// missing), messages that set it, messages that were ignored, seconds since the last message (-1 before the first).
  func ofOutput(_ output: OutputDriver, now: HostTime) -> OSCMessage {
    let counts = output.counts
    let age = counts.lastHeard.map { max(0, Float(now.seconds(since: $0))) } ?? -1
    return OSCMessage(
      "/momu/rig/output",
      [
        .string(rig), .string(output.plan.title), .float(counts.level ?? -1), .int64(Int64(counts.messages)),
        .int64(Int64(counts.ignored)), .float(age),
      ])
  }

  /// `/momu/rig/problem ,sis`: the rig, the line of its configuration (0 for none), the problem.
  func ofProblem(_ problem: RigProblem) -> OSCMessage {
    OSCMessage("/momu/rig/problem", [.string(rig), .int32(Int32(problem.line)), .string(problem.text)])
  }
}
