import MoProgram
import MoRig

/// What `momu rig --check` says of a configuration without a mistake.
enum RigPreview {
  /// A line for each sensor, and below it what would keep it waiting or silent here, or the rig from starting.
  static func text(_ configuration: RigConfiguration, file: String) -> String {
    let count = configuration.streams.count
    var text = "\(file): no mistake, \(counted(count, "sensor"))\n"
    for stream in configuration.streams {
      text += "  \(stream.summary)\n"
      if let obstacle = stream.obstacle { text += "    the rig would not start: \(obstacle)\n" }
      if let trouble = stream.trouble { text += "    now it would wait: \(trouble)\n" }
      if let fault = stream.fault { text += "    it would say nothing: \(fault)\n" }
    }
    return text
  }
}
