import MoCore

/// A sensor of a configuration, and what sends its readings.
struct RunningStream: Sendable {
  let plan: RigStream
  let sender: StreamSender
  let source: RigSource
}

/// What a rig consists of now.
struct RigState: Sendable {
  var configuration = RigConfiguration()
  /// All that something is sent to.
  var targets: [RigTarget] = []
  /// Those of them that are sent statistics.
  var observers: [RigTarget] = []
  var sources: [RigSource] = []
  var streams: [RunningStream] = []
  var outputs: [OutputDriver] = []
  /// Why messages for outputs cannot be heard; nil while they can.
  var deafness: String?
  /// What is wrong in the configuration, and what could not be started.
  var mistakes: [RigProblem] = []
  var file = ""

  /// All that does not work.
  var problems: [RigProblem] {
    mistakes
      + streams.compactMap { stream in
        stream.source.failure.map { RigProblem(file: file, line: stream.plan.line, text: $0) }
      }
      + outputs.compactMap { output in
        output.counts.failure.map { RigProblem(file: file, line: output.plan.line, text: $0) }
      } + (deafness.map { [RigProblem(file: file, line: 0, text: $0)] } ?? [])
  }
}
