import MoMu

extension SystemReader {
  /// Reads the sound cards from /proc/asound/cards and /proc/asound/pcm.
  func cards() -> [SoundCard] {
    var cards = lines("/proc/asound/cards").compactMap(card)
    for line in lines("/proc/asound/pcm") {
      guard let (index, device) = device(line), let place = cards.firstIndex(where: { $0.index == index })
      else { continue }
      cards[place].devices.append(device)
    }
    return cards
  }

  /// Parses a line such as " 0 [PCH            ]: HDA-Intel - HDA Intel PCH".
  ///
  /// The result is nil for each second line of the file, which has no brackets.
  private func card(_ line: Substring) -> SoundCard? {
    guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
      let index = Int(line[..<open].trimmed)
    else { return nil }
    let rest = line[line.index(after: close)...]
    let title =
      rest.firstRange(of: " - ").map { rest[$0.upperBound...] } ?? rest.drop { $0 == ":" || $0 == " " }
    return SoundCard(
      index: index, id: String(line[line.index(after: open)..<close].trimmed), title: String(title.trimmed))
  }

  /// Parses a line such as "00-03: HDMI 0 : HDMI 0 : playback 1", with ": capture 1" at its end if the device records.
  private func device(_ line: Substring) -> (card: Int, PCMDevice)? {
    let fields = line.split(separator: ":").map(\.trimmed)
    let numbers = fields.first?.split(separator: "-") ?? []
    guard fields.count >= 3, numbers.count == 2, let card = Int(numbers[0]), let number = Int(numbers[1])
    else { return nil }
    let plays = fields.contains { $0.hasPrefix("playback ") }
    let records = fields.contains { $0.hasPrefix("capture ") }
    let letters = (plays ? ["p"] : []) + (records ? ["c"] : [])
    return (
      card,
      PCMDevice(
        number: number, title: String(fields[2]), plays: plays, records: records,
        rights: letters.lazy.compactMap { rights("/dev/snd/pcmC\(card)D\(number)\($0)") }.first,
        holder: letters.lazy.compactMap { holder(card, "pcm\(number)\($0)") }.first)
    )
  }

  /// Returns the program that has a device of a card open; nil if the device is free.
  ///
  /// - Parameter pcm: the device and its direction, such as `pcm0p` for playback or `pcm0c` for capture.
  private func holder(_ card: Int, _ pcm: String) -> ResourceOwner? {
    ALSADeviceOwner.process(inPCM: "\(root)/proc/asound/card\(card)/\(pcm)", processes: "\(root)/proc").map {
      holder($0)
    }
  }
}
