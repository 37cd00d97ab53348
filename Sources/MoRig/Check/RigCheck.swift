import Glibc
import MoCore
import MoNetwork
import MoRuntime
import MoSensing

/// The result of checking a configuration: a remark about each of its parts that would not work on this machine.
package struct RigCheck: Sendable {
  /// The importance of a remark.
  package enum Weight: Sendable {
    /// The sensor, output or setting cannot work until the user corrects something.
    case fault
    /// The sensor or output works as soon as its device is plugged in.
    case waiting
  }

  package struct Remark: Equatable, Sendable {
    package var weight: Weight
    /// The heading of the sensor or output, such as `accel left`; nil for a remark about the whole configuration.
    package var title: String?
    package var text: String
  }

  package let reading: RigReading
  package let remarks: [Remark]

  /// Whether the whole configuration would work here, except for devices that are not plugged in.
  package var isRight: Bool { reading.problems.isEmpty && !remarks.contains { $0.weight == .fault } }

  /// Checks a configuration; looking up a name may take five seconds.
  ///
  /// - Parameter access: the user that reads files and devices.
  package init(_ reading: RigReading, as access: RigAccess = .caller) {
    self.reading = reading
    var remarks: [Remark] = []
    let streams = reading.configuration.streams
    for stream in streams {
      func remark(_ weight: Weight, _ text: String) {
        remarks.append(Remark(weight: weight, title: stream.title, text: text))
      }
      if let reason = stream.startProblem(as: access) { remark(.fault, "it would not start: \(reason)") }
      if let (reason, isForbidden) = stream.waitReason(as: access) {
        remark(isForbidden ? .fault : .waiting, "it would wait now: \(reason)")
      }
      for port in stream.midiPorts {
        let name = RigStream.midiPrefix + port
        if let midi = Rig.midi {
          guard let (reason, isWaiting) = midi.problem(with: port) else { continue }
          remark(isWaiting ? .waiting : .fault, "\(name): \(reason)")
        } else {
          remark(.fault, "\(name): \(RigMIDITarget.Missing())")
        }
      }
      if let reason = stream.silenceReason { remark(.fault, "it would send nothing: \(reason)") }
    }
    for output in reading.configuration.outputs {
      guard let (reason, isForbidden) = output.waitReason(as: access) else { continue }
      remarks.append(
        Remark(
          weight: isForbidden ? .fault : .waiting, title: output.title, text: "it would wait now: \(reason)")
      )
    }
    remarks += RigCheck.duplicates(streams) + RigCheck.unknownNames(reading.configuration)
    self.remarks = remarks
  }

  /// Returns a remark for each sensor that a receiver cannot tell from an earlier sensor: both have the same address
  /// and target.
  private static func duplicates(_ streams: [RigStream]) -> [Remark] {
    streams.enumerated().compactMap { place, stream in
      guard
        let duplicate = streams[..<place].first(where: {
          $0.address == stream.address && !Set($0.netTargets).isDisjoint(with: stream.netTargets)
            && (!$0.kind.hasChannels || $0.channel != nil || stream.channel != nil
              || $0.source != stream.source)
        })
      else { return nil }
      return Remark(
        weight: .fault, title: stream.title,
        text:
          "it sends to the same address and target as [\(duplicate.title)], \(stream.address): "
          + "set another address"
      )
    }
  }

  /// Returns a remark for each target whose name could not be looked up within five seconds.
  private static func unknownNames(_ configuration: RigConfiguration) -> [Remark] {
    var targets = configuration.targets
    for target in configuration.streams.flatMap(\.targets) where !targets.contains(target) {
      targets.append(target)
    }
    targets.removeAll(where: RigStream.isMIDI)
    let answers = Locked<[String: String]>([:])
    var threads: [MoThread] = []
    for target in targets {
      let thread = try? MoThread(name: "mo-names") { _ in
        var text = ""
        do throws(NetError) { try NetLink(target).find() } catch { text = "\(error)" }
        answers.withLock { $0[target] = text }
      }
      if let thread { threads.append(thread) }
    }
    for _ in 0..<500 {
      if threads.allSatisfy(\.isFinished) { break }
      usleep(10_000)
    }
    let found = answers.withLock { $0 }
    return targets.compactMap { target in
      let text = found[target] ?? "the lookup of its name timed out after five seconds"
      return text.isEmpty ? nil : Remark(weight: .fault, title: nil, text: "to \(target): \(text)")
    }
  }
}
