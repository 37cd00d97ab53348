// Echo: send a melody, and the other machines repeat and answer it.
//
// You will hear: the notes you type, on wooden bars. The other machines repeat them.
//   Then they answer: the same notes backwards, a fifth higher.
// Signal path: a to k → Bars; space → MoSession.sendMelody → RemotePart → Bars on the other machines
// What your hands do: play up to sixteen notes with a to k, then send them with space, as eighth notes.
// Run: swift run Examples/Echo, on two machines or in two terminals; alone, it answers itself
// Try next: another answer, with melody.quantised(by: Quantiser(swing: 0.6));
//   pass the melody on to the next member (MoRoom.neighbour).
import MoConsole
import MoOrchestra

MoApp.run("An echo: play with a to k, send it with space; the others repeat it and answer.") {
  let bars = try MoAudio.play(Bars())
  let echo = try RemotePart.open(on: bars)
  try MoSession.join()
  try MoRoom.syncGear()  // --midi-clock lead|follow
  try MoAudio.follow { MoSession.beat }

  MoSession.onMelody { heard in
    let melody = Melody(heard.played)
    echo.play(melody, like: heard)
    echo.play(melody.reversed().transposed(by: 7), like: heard, after: melody.beats)
  }

  RoomConsole.open(
    [Float](), help: "a to k play   space sends what you played", byItself: "adg ",
    picture: { pitches in "played: \(pitches.map { NoteText.name($0) }.joined(separator: " "))" },
    keys: { pitches, key, now in
      if key == " " {
        var melody = Melody(beats: Float(max(1, pitches.count)) / 2)
        for (index, pitch) in pitches.enumerated() {
          melody.add(Melody.Event(beat: Float(index) / 2, length: 0.5, pitch: pitch))
        }
        try MoSession.sendMelody(
          SessionMelody(melody), to: MoRoom.isAlone ? .everyone : .others, at: .next(.beat))
        pitches = []
      }
      guard let semitone = PianoKeys.semitone(key) else { return }
      let pitch = Float(60 + semitone)
      bars.noteOn(pitch, at: now)
      pitches = pitches.suffix(15) + [pitch]
    })
}
