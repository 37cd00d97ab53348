// Neighbour: you play, and your neighbour controls how you sound.
//
// You will hear: a plain tone. The member before you in the list makes it brighter or duller.
// Signal path: a to k → Tone; , and . → MoSession.setParameter → the neighbour's Tone
// What your hands do: a to k play your tone; . makes your neighbour's tone brighter, and , duller,
//   by 20 % each time.
// Run: swift run Examples/Neighbour, on two machines or in two terminals; alone, you are your own neighbour
// Try next: MoSession.setGate(0.5, .modification, from: nil, to: .member("Ada")) halves all changes to Ada's sound;
//   replace Tone by another instrument.
import MoConsole
import MoOrchestra

MoApp.run("The modified neighbour: a to k play, and . and , turn the next one's sound.") {
  let tone = try MoAudio.play(Tone(seed: nil))
  try MoSession.join()
  try MoRoom.syncGear()  // --midi-clock lead|follow
  try MoAudio.follow { MoSession.beat }

  MoSession.onParameter { change in
    guard let value = tone.value(change.name) else { return }
    _ = try? tone.set(change.name, to: change.value(from: value), at: change.time)
  }

  RoomConsole.open(
    [MemberID: Float](), help: "a to k play   , . your neighbour's tone duller, brighter",
    byItself: "a.a.a.a.a,a,a,a,",
    picture: { _ in
      "yours: brightness \(Int(100 * (tone.value("brightness") ?? 0))) %   "
        + "your neighbour: \(MoRoom.neighbour?.displayName ?? "nobody")"
    },
    keys: { brightness, key, now in
      if key == "," || key == "." {
        guard let neighbour = MoRoom.neighbour else { return }
        // A tone begins with the brightness 0.2. The neighbour changes when members join and leave.
        let old = brightness[neighbour.identity.member, default: 0.2]
        let new = max(0, min(old + (key == "." ? 0.2 : -0.2), 1))
        brightness[neighbour.identity.member] = new
        try MoSession.setParameter("brightness", to: new, of: .member(neighbour))
      }
      guard let semitone = PianoKeys.semitone(key) else { return }
      tone.playNote(Float(60 + semitone), for: .milliseconds(400), at: now)
    })
}
