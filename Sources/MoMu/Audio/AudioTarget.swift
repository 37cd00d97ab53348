/// Where sound goes, as `--audio` names it.
enum AudioTarget: Equatable, Sendable {
  /// Nothing was named: the best card there is, or silence with a notice.
  case automatic
  /// An ALSA device by name: `default`, `hw:1`, `plughw:CARD=USB`, or any PCM that ALSA's configuration defines.
  case alsa(String)
  /// Nowhere, at the pace of a card.
  case virtual
  /// A file, at the pace of a card or, offline, at the machine's.
  case wav(String)
  /// No sound at all: the callback is not called.
  case none

  /// - Throws: `AudioError.unknownDevice` for what cannot be a device's name.
  init(_ name: String?) throws(AudioError) {
    guard let name else {
      self = .automatic
      return
    }
    let kind = name.prefix { $0 != ":" }
    switch kind {
    case "virtual" where name == "virtual": self = .virtual
    case "none" where name == "none": self = .none
    case "wav":
      let path = name.dropFirst(4)
      guard !path.isEmpty else {
        throw .unknownDevice(name: name, reason: "say which file to write, such as --audio wav:out.wav")
      }
      self = .wav(String(path))
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
}
