import Glibc
import MoCore
import MoOSC
import MoRuntime
import MoSensing

extension RigStream {
  /// The sensor's source and targets, in a line; without a source in the configuration, the source that a rig on this
  /// machine would read now.
  package var summary: String {
    let wanted = source ?? bestSource ?? "the best available"
    let channel = channel.map { ", \($0)" } ?? ""
    let unit = unit.map { " in \($0)" } ?? ""
    return "[\(title)] \(wanted)\(channel) -> \(address)\(unit) at \(targets.joined(separator: ", "))"
  }

  /// The source that a rig on this machine would read now if the configuration names none; nil if there is none.
  private var bestSource: String? {
    // A combined sensor, gpsd or the machine itself comes first in its list.
    kind.devices().first { !kind.isDevice || $0.isReal && $0.isOpen }?.name
  }

  /// The reason why the sensor's source cannot be read on this machine now, and what to do; nil if none is known.
  package var waitReason: String? { waitReason(as: .caller)?.text }

  /// Returns why the sensor's source cannot be read now, and whether the source exists but permission is missing; nil
  /// if no reason is known.
  func waitReason(as access: RigAccess) -> (text: String, isForbidden: Bool)? {
    guard let source else {
      if kind.isDevice { return RigStream.waitReason(ofBest: kind, for: "it") }
      // A combined sensor needs the devices of its parts; gpsd and the machine itself need no device.
      return kind.needs.lazy.compactMap { RigStream.waitReason(ofBest: $0, for: "its \($0.name)") }.first
    }
    let parts = source.split(separator: ":", maxSplits: 1).map { String($0) }
    guard parts.count == 2, let detail = parts[1].split(separator: "?").first.map({ String($0) }) else {
      return nil
    }
    switch parts[0] {
    case "evdev": return waitReason(ofFile: EvdevList.path(of: detail), called: source, R_OK, access)
    case "serial": return waitReason(ofFile: detail, called: source, R_OK | W_OK, access)
    case "gpio":
      let chip = try? GPIOPin(detail).path
      return waitReason(ofFile: chip ?? "/dev/\(detail)", called: source, R_OK | W_OK, access)
    case "w1":
      return kind.devices().contains { $0.name == source } ? nil : (RigStream.missing(source, kind), false)
    case "iio":
      return IIODevice(detail).title.isEmpty ? (RigStream.missing(source, kind), false) : nil
    default: return nil
    }
  }

  /// Returns why no device of a kind can be read now, and whether a device exists but permission is missing; nil if a
  /// device can be read.
  private static func waitReason(
    ofBest kind: AnySensorKind, for owner: String
  ) -> (text: String, isForbidden: Bool)? {
    let devices = kind.devices().filter(\.isReal)
    guard !devices.contains(where: \.isOpen) else { return nil }
    guard let first = devices.first else {
      return ("no device for \(owner) is here: \(ToolName.devices) lists the devices", false)
    }
    return ("there is \(first.name), which \(first.about)", true)
  }

  /// Returns why the sensor cannot start, and what to do; nil if no reason is known.
  func startProblem(as access: RigAccess) -> String? {
    guard let source else { return nil }
    if source == "keys" {
      return "a service has no terminal: these keys work only when you start the rig in a terminal"
    }
    guard source.hasPrefix("tape:") else { return nil }
    do {
      let path = try TapePlaying(String(source.dropFirst("tape:".count))).path
      if let forbidden = access.problem(with: path, mode: R_OK) { return "\(path): \(forbidden)" }
      _ = try OSCTapeReader(path: path)
      return nil
    } catch let error as OSCTapeError {
      return error.text(recordedBy: "momu osc record")
    } catch {
      return "\(error)"
    }
  }

  /// The reason why the sensor can never send anything here, and what to do; nil if none is known.
  package var silenceReason: String? {
    if kind == AnySensorKind(.host) { return wrongChannel(HostChannel.allCases.map(\.rawValue)) }
    guard let source else { return nil }
    let parts = source.split(separator: ":", maxSplits: 1).map { String($0) }
    guard let device = parts.last?.split(separator: "?").first.map({ String($0) }) else { return nil }
    switch parts[0] {
    case "evdev": return wrongChannel(EvdevList.traits(of: device).channelNames)
    case "iio": return wrongChannel(IIODevice(device).channels.map(\.name))
    default: return nil
    }
  }

  /// Returns an error if the channel that the configuration names is not among `there`, the channels of the device.
  ///
  /// The result is nil if the configuration names no channel, or if `there` is empty.
  func wrongChannel(_ there: [String]) -> String? {
    guard let channel, !there.isEmpty, !there.contains(channel) else { return nil }
    return ChannelName.missing(channel, of: source ?? kind.name, among: there)
  }

  private func waitReason(
    ofFile path: String, called source: String, _ mode: Int32, _ access: RigAccess
  ) -> (String, Bool)? {
    guard Glibc.access(path, F_OK) == 0 else { return (RigStream.missing(source, kind), false) }
    guard let reason = access.problem(with: path, mode: mode) else { return nil }
    return (access.isCaller ? SensorError.noPermission(path: path).description : "\(path): \(reason)", true)
  }

  /// Returns the error text for a missing device; it proposes the device with the most similar name.
  private static func missing(_ source: String, _ kind: AnySensorKind) -> String {
    let names = kind.devices().filter(\.isReal).flatMap { device in
      // A device can be named by its number or by its own name.
      let scheme = device.name.split(separator: ":").first ?? ""
      return [device.name, "\(scheme):\(device.about)"]
    }
    let nearest =
      names.first { $0.lowercased() == source.lowercased() } ?? Spelling.nearest(to: source, among: names)
    return "there is no \(source) here\(nearest.map { "; did you mean \($0)?" } ?? ":") "
      + "\(ToolName.devices) lists the devices"
  }
}
