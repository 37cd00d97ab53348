import MoOSC
import MoTime

/// How a rig is doing, as messages.
struct RigStatistics: Sendable {
  let rig: String
  let started: HostTime

  /// `/momu/rig ,sfhh`: its name, seconds since its start, messages sent, messages that could not be.
  func ofRig(sent: Int, unsent: Int, now: HostTime) -> OSCMessage {
    OSCMessage(
      "/momu/rig",
      [.string(rig), .float(Float(now.seconds(since: started))), .int64(Int64(sent)), .int64(Int64(unsent))])
  }

  /// `/momu/rig/sensor ,ssshhf`: the rig, the sensor as its heading names it, what it reads or nothing, readings,
  /// messages, seconds since the last reading (-1 before the first).
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
}
