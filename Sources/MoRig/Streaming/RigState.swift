import MoCore

/// A sensor of a configuration, with the sender of its readings.
struct RunningStream: Sendable {
  let plan: RigStream
  let sender: StreamSender
  let source: RigSource
}

/// The present configuration, targets, sources and outputs of a rig.
package struct RigState: Sendable {
  /// The rig's name in its messages.
  var name = ""
  package var configuration = RigConfiguration()
  /// All targets.
  package var targets: [RigTarget] = []
  /// The MIDI ports that values are sent to.
  var midi: [RigMIDITarget] = []
  /// The targets that receive statistics.
  package var observers: [RigTarget] = []
  var sources: [RigSource] = []
  var streams: [RunningStream] = []
  var outputs: [OutputDriver] = []
  /// The reason why the port for messages to outputs could not be opened; nil if there is no such problem.
  var portProblem: String?
  /// The mistakes that were found in the configuration file.
  var mistakes: [RigProblem] = []
  var file = ""

  package init() {}

  /// The mistakes of the configuration, and the sources, outputs and ports that cannot be used now.
  ///
  /// A missing device of a sensor counts, if the configuration names the device.
  var problems: [RigProblem] {
    var problems = mistakes
    for stream in streams {
      guard let text = stream.source.failure ?? stream.source.sensor.problem() else { continue }
      problems.append(RigProblem(file: file, line: stream.plan.line, text: text))
    }
    return problems
      + outputs.compactMap { output in
        output.counts.failure.map { RigProblem(file: file, line: output.plan.line, text: $0) }
      } + midi.compactMap { $0.failure.map { RigProblem(file: file, line: 0, text: $0) } }
      + (portProblem.map { [RigProblem(file: file, line: 0, text: $0)] } ?? [])
  }
}
