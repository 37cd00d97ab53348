import MoMIDI
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

extension SystemReader {
  /// Returns the ports and programs of the ALSA sequencer; nil if the kernel has no sequencer.
  ///
  /// The file /proc/asound/seq/clients lists the clients and their ports:
  ///
  ///     Client  24 : "nanoKEY2" [Kernel Legacy]
  ///       Port   0 : "nanoKEY2 MIDI 1" (RWeX) [In/Out]
  func midi() -> MIDIInventory? {
    guard exists("/proc/asound/seq/clients") || exists("/dev/snd/seq") else { return nil }
    var ports: [MIDIPort] = []
    var umpClients: Set<Int32> = []
    var programs: [String] = []
    var client: (number: Int32, name: String, isKernels: Bool)?
    for line in lines("/proc/asound/seq/clients") {
      let text = line.trimmed
      guard let open = text.firstIndex(of: "\""), let close = text.lastIndex(of: "\""), open < close else {
        continue
      }
      let name = String(text[text.index(after: open)..<close])
      let words = text[..<open].split(separator: " ")
      guard words.count >= 2, let number = Int32(words[1]) else { continue }
      if words[0] == "Client" {
        client = (number, name, text[close...].contains("[Kernel"))
        if text[close...].contains("[Kernel UMP-") { umpClients.insert(number) }
        if MIDIInventory.programNumbers.contains(Int(number)) { programs.append(name) }
      } else if words[0] == "Port", let client, client.number != 0 {
        let flags = text[close...]
        ports.append(
          MIDIPort(
            MIDIAddress(client.number, number), client: client.name, name: name,
            isDevice: client.isKernels && client.name != "Midi Through", sends: flags.contains("(R"),
            receives: flags.dropFirst().prefix(6).contains("W")))
      }
    }
    // A MIDI 2.0 device has port 0 for all its messages, and a port for each group, as `ALSAPortList.ports` describes.
    let grouped = umpClients.intersection(ports.lazy.filter { $0.address.port > 0 }.map(\.address.client))
    ports.removeAll { $0.address.port == 0 && grouped.contains($0.address.client) }
    return MIDIInventory(
      ports: ports.filter { $0.sends || $0.receives }, programs: programs, rights: rights("/dev/snd/seq"))
  }
}

/// The ALSA sequencer and its access rights.
struct MIDIInventory: Equatable {
  var ports: [MIDIPort] = []
  /// The name of each client of the sequencer that is a program; a program with several clients occurs several times.
  var programs: [String] = []
  var rights: FileRights?

  /// The range of the client numbers that the sequencer gives to programs.
  ///
  /// - Source: Linux, `sound/core/seq/seq_clientmgr.c`, `SNDRV_SEQ_DYNAMIC_CLIENTS_BEGIN` and `SNDRV_SEQ_MAX_CLIENTS`.
  static let programNumbers = 128..<192

  /// Returns the reason why the sequencer cannot be used, and the command that helps; nil if it can be used.
  func advice(for person: UserAccount) -> String? {
    guard let rights else { return "the file /dev/snd/seq is missing: in a container, add --device /dev/snd" }
    guard !rights.mayUse else { return nil }
    return "may not be used: " + person.opening("/dev/snd/seq", rights)
  }
}
