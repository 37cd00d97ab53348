// Duet: one player sets the pitches, another strikes them.
//
// You will hear: wooden bars, on all machines of the room together; alone, a few strikes by themselves.
// Signal path: a to k → MoSession.setParameter, space → MoSession.strike → bars on all machines
// What your hands do: a to k set the pitch, space strikes. Both players can do both.
// Run: swift run Examples/Duet, on two machines or in two terminals; --room NAME for a room of your own
// Try next: a third player changes the material of the bars, with MoSession.setParameter("material", …);
//   MoAccel.onStrike as the mallet.
import MoConsole
import MoOrchestra

MoApp.run("A duet: one sets the pitches with a to k, another strikes them with space.") {
  let bars = try MoAudio.play(Bars())
  let pitch = MoParam(60)
  try MoSession.join()
  try MoRoom.syncGear()  // --midi-clock lead|follow
  try MoAudio.follow { MoSession.beat }

  MoSession.onParameter { change in
    if change.name == "pitch" { pitch.value = change.value(from: pitch.value) }
  }
  MoSession.onStrike { strike in bars.noteOn(pitch.value, velocity: strike.force, heardAt: strike.time) }

  RoomConsole.open(
    help: "a to k set the pitch   space strikes", byItself: "a d g k ",
    picture: { "pitch \(NoteText.name(pitch.value))" },
    keys: { key, now in
      if key == " " { MoSession.strike(0.8, to: .everyone, at: .next(.sixteenth)) }
      guard let semitone = PianoKeys.semitone(key) else { return }
      MoSession.setParameter("pitch", to: Float(60 + semitone), of: .everyone)
    })
}
