import MoRuntime

/// The output of `momu rig --check`.
package enum RigPreview {
  /// Returns a line for each mistake and each sensor.
  ///
  /// Below each sensor are the reasons for which it would wait, be silent or not start.
  package static func text(_ check: RigCheck) -> String {
    let (configuration, file) = (check.reading.configuration, check.reading.file)
    let outputs = configuration.outputs.count
    let sensors =
      counted(configuration.streams.count, "sensor") + (outputs > 0 ? ", \(counted(outputs, "output"))" : "")
    let mistakes = check.reading.problems.count
    var text = check.reading.problems.map { "\($0)\n" }.joined()
    let faults = check.remarks.filter { $0.weight == .fault }.count
    text +=
      mistakes > 0
      ? "\(file): \(counted(mistakes, "mistake")); the rest has \(sensors)\n"
      : faults > 0
        ? "\(file): no mistake, \(sensors), but \(counted(faults, "fault")) on this machine\n"
        : "\(file): no mistake, \(sensors)\n"
    for stream in configuration.streams {
      text += "  \(stream.summary)\n"
      for remark in check.remarks where remark.title == stream.title { text += "    \(remark.text)\n" }
    }
    for output in configuration.outputs {
      text += "  \(output.summary)\n"
      for remark in check.remarks where remark.title == output.title { text += "    \(remark.text)\n" }
    }
    for remark in check.remarks where remark.title == nil { text += "  \(remark.text)\n" }
    return text
  }
}
