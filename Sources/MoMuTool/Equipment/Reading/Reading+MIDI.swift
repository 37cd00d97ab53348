import MoMIDI

extension SystemReader {
  /// Returns the ports and programs of the ALSA sequencer; nil if the kernel has no sequencer.
  ///
  /// The file /proc/asound/seq/clients lists the clients and their ports:
  ///
  ///     Client  24 : "nanoKEY2" [Kernel Legacy]
  ///       Port   0 : "nanoKEY2 MIDI 1" (RWeX) [In/Out]
  func midi() -> MIDIEquipment? {
    guard exists("/proc/asound/seq/clients") || exists("/dev/snd/seq") else { return nil }
    var ports: [MIDIPort] = []
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
        if MIDIEquipment.programNumbers.contains(Int(number)) { programs.append(name) }
      } else if words[0] == "Port", let client, client.number != 0 {
        let flags = text[close...]
        ports.append(
          MIDIPort(
            MIDIAddress(client.number, number), client: client.name, name: name,
            isDevice: client.isKernels && client.name != "Midi Through", sends: flags.contains("(R"),
            receives: flags.dropFirst().prefix(6).contains("W")))
      }
    }
    return MIDIEquipment(
      ports: ports.filter { $0.sends || $0.receives }, programs: programs, rights: rights("/dev/snd/seq"))
  }
}

/// The ALSA sequencer and its access rights.
struct MIDIEquipment: Equatable {
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
