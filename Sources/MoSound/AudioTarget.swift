import MoEngine
import MoProgram

/// Where sound goes, as `--audio` names it.
enum AudioTarget: Equatable, Sendable {
  /// Nothing was named: the best card there is, or silence with a notice.
  case automatic
  /// An ALSA device by name: `default`, `hw:1`, `plughw:CARD=USB`, or any PCM that ALSA's configuration defines.
  case alsa(String)
  /// Nowhere, at the pace of a card; of one that runs so many ppm fast, where that is said.
  case virtual(ppm: Int? = nil)
  /// A file, at the pace of a card or, offline, at the machine's.
  case wav(String, ppm: Int? = nil)
  /// No sound at all: the callback is not called.
  case none

  /// - Throws: `AudioError.unknownDevice` for what cannot be a device's name.
  init(_ name: String?) throws(AudioError) {
    guard let name else {
      self = .automatic
      return
    }
    let (device, ppm) = try AudioTarget.splitDrift(name)
    let kind = device.prefix { $0 != ":" }
    switch kind {
    case "virtual" where device == "virtual": self = .virtual(ppm: ppm)
    case "none" where device == "none": self = .none
    case "wav":
      let path = device.dropFirst(4)
      guard !path.isEmpty else {
        throw .unknownDevice(name: name, reason: "say which file to write, such as --audio wav:out.wav")
      }
      self = .wav(String(path), ppm: ppm)
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

  /// A device's name without `?ppm=100` at its end, and that number, for a simulated card; others have a clock
  /// of their own.
  private static func splitDrift(_ name: String) throws(AudioError) -> (device: Substring, ppm: Int?) {
    let mark = "?ppm="
    guard name.hasPrefix("virtual") || name.hasPrefix("wav:"), let query = name.lastIndex(of: "?"),
      name[query...].hasPrefix(mark)
    else { return (name[...], nil) }
    guard let ppm = wholeNumber(name[query...].dropFirst(mark.count)), (-1000...1000).contains(ppm) else {
      throw .unknownDevice(
        name: name,
        reason: "how fast its clock runs is a whole number of ppm from -1000 to 1000, such as ?ppm=100")
    }
    return (name[..<query], ppm)
  }
}
