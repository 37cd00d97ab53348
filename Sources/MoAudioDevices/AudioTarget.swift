import MoAudioEngine
import MoRuntime

/// The destination of the program's sound, as the option `--audio` names it: a card, a sound server, a file or none.
package enum AudioTarget: Equatable, Sendable {
  /// No name was given: the device `default` or, if it cannot be opened, silence and a notice.
  case automatic
  /// A device by name: `default`, `hw:1`, `plughw:CARD=USB`, any PCM that ALSA's configuration defines, or `jack`.
  case alsa(String)
  /// A device without a card, which discards the sound at the pace of a card or, offline, at full speed.
  case virtual(SimulatedCard = SimulatedCard())
  /// A WAV file at this path, written at the pace of a card or, offline, at full speed.
  case wav(String, SimulatedCard = SimulatedCard())
  /// No sound at all: the callback is not called.
  case none

  /// Parses the value of `--audio`; nil means that no name was given.
  ///
  /// - Throws: `AudioError.unknownDevice` if no device can have this name.
  package init(_ name: String?) throws(AudioError) {
    guard let name else {
      self = .automatic
      return
    }
    let (device, card) = try AudioTarget.splitCard(name)
    let kind = device.prefix { $0 != ":" }
    switch kind {
    case "virtual" where device == "virtual": self = .virtual(card)
    case "none" where device == "none": self = .none
    case "wav":
      let path = device.dropFirst(4)
      guard !path.isEmpty else {
        throw .unknownDevice(name: name, reason: "name the file to write, such as --audio wav:out.wav")
      }
      self = .wav(String(path), card)
    default:
      guard !name.isEmpty, name.allSatisfy({ !$0.isWhitespace && $0.asciiValue.map { $0 > 32 } ?? false })
      else {
        throw .unknownDevice(
          name: name,
          reason: "use default, hw:1, plughw:1, virtual, wav:FILE or none; --list-devices shows them")
      }
      self = .alsa(name)
    }
  }

  /// Splits a name such as `virtual?latency=43` into the device and the settings of its simulated card.
  ///
  /// A name without settings stays as it is. A question mark that no known setting follows belongs to a file's name.
  private static func splitCard(_ name: String) throws(AudioError) -> (device: Substring, card: SimulatedCard)
  {
    guard name.hasPrefix("virtual") || name.hasPrefix("wav:"), let query = name.lastIndex(of: "?"),
      ["ppm=", "latency=", "burst="].contains(where: { name[query...].dropFirst().hasPrefix($0) })
    else { return (name[...], SimulatedCard()) }
    var card = SimulatedCard()
    for pair in name[query...].dropFirst().split(separator: "&", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch (parts[0], wholeNumber(parts.count > 1 ? parts[1] : "")) {
      case ("ppm", let ppm?) where (-1000...1000).contains(ppm): card.ppm = ppm
      case ("latency", let milliseconds?) where (0...2000).contains(milliseconds):
        card.latency = Double(milliseconds) / 1000
      case ("burst", let frames?) where (1...65_536).contains(frames): card.burst = frames
      default: throw .unknownDevice(name: name, reason: "\"\(pair)\" cannot be set: \(settings)")
      }
    }
    return (name[..<query], card)
  }

  private static let settings =
    "use latency=MS (0 to 2000 ms to the ear), burst=FRAMES (1 to 65536 asked for at once) and "
    + "ppm=N (-1000 to 1000, how fast its clock runs), such as virtual?latency=43&burst=1024"
}

extension AudioServer {
  /// Returns the path in a device name such as `wav:out.wav`; nil for any other name, and without a name.
  package static func file(of device: String?) -> String? {
    guard let device, case .wav(let path, _)? = try? AudioTarget(device) else { return nil }
    return path
  }
}
