import MoMIDI
import MoRuntime

/// Checks the ALSA sequencer, its ports, and Avahi, which finds MIDI peers in the network.
func midiFindings(_ e: DeviceInventory) -> [Finding] {
  var found = sequencerFindings(e)
  if !e.hasAvahi {
    found.append(
      .note(
        midiTopic, "avahi-daemon does not run", why: "MIDI peers in the network are not found by their names",
        fix: "sudo apt install avahi-daemon && sudo systemctl start avahi-daemon",
        "or name the peer's address: --midi net:HOST:PORT"))
  }
  return found
}

private let midiTopic = "midi"

private func sequencerFindings(_ e: DeviceInventory) -> [Finding] {
  guard let midi = e.midi else {
    return [
      Finding(
        // A machine without sound, such as a rig, may do well without MIDI.
        level: e.cards.isEmpty ? .note : .problem, topic: midiTopic, what: "there is no ALSA sequencer",
        why: "MIDI keyboards and synthesizers are not found; tapes, MIDI files and sim:scale work",
        fix: e.container.map {
          ["on the host: sudo modprobe snd-seq", "then: \($0) run --device /dev/snd …"]
        }
          ?? [
            "sudo modprobe snd-seq",
            "and at each start: echo snd-seq | sudo tee /etc/modules-load.d/60-momu.conf",
          ])
    ]
  }
  guard let rights = midi.rights else {
    return [
      .problem(
        midiTopic, "the file /dev/snd/seq is missing", why: "MIDI keyboards and synthesizers are not found",
        fix: e.container.map { "\($0) run --device /dev/snd …" } ?? "sudo modprobe snd-seq")
    ]
  }
  guard rights.mayUse || e.person.isRoot else {
    return [
      .problem(
        midiTopic, "\(e.person.name) may not use /dev/snd/seq",
        why: "MIDI keyboards and synthesizers are not found", fix: e.person.opening("/dev/snd/seq", rights))
    ]
  }
  guard midi.programs.count < MIDIInventory.programNumbers.count else {
    return [
      .problem(
        midiTopic, "all \(midi.programs.count) client numbers of the ALSA sequencer are in use",
        why: "no other program can open a MIDI port",
        fix: "close programs that have many ports: \(crowd(midi.programs))", "aconnect -l lists all")
    ]
  }
  return portFindings(midi.ports)
}

/// Returns the names of the three programs with the most sequencer clients, each with its number of clients.
///
/// An example is `loop 60, FLUID Synth 2`.
///
/// - Parameter programs: for each client, the name of its program.
private func crowd(_ programs: [String]) -> String {
  let counts = Dictionary(programs.map { ($0, 1) }, uniquingKeysWith: +)
  let ordered = counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
  return ordered.prefix(3).map { "\($0.key.printable) \($0.value)" }.joined(separator: ", ")
}

private func portFindings(_ ports: [MIDIPort]) -> [Finding] {
  func names(_ isIt: (MIDIPort) -> Bool) -> String {
    ports.filter(isIt).map(\.fullName.printable).joined(separator: ", ")
  }
  var found: [Finding] = []
  let keyboards = names { $0.isDevice && $0.sends }
  if keyboards.isEmpty {
    found.append(
      .note(
        midiTopic, "no MIDI keyboard is connected", why: "a simulated player replaces it: --midi sim:chords",
        fix: "plug one in; if lsusb lists it and momu midi list does not, its driver is missing"))
  } else {
    found.append(.ok(midiTopic, "for --midi: \(keyboards)"))
  }
  let receivers = names { $0.receives }
  if !receivers.isEmpty { found.append(.ok(midiTopic, "for --midi-out: \(receivers)")) }
  return found
}
