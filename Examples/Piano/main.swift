// Piano: 88 keys without recordings, played on the computer's keyboard.
//
// You will hear: a grand piano, louder and brighter while you hold Shift.
//   Until you press a key, it plays by itself.
// Signal path: keys → InstrumentHandle → Piano (damped oscillations, two per partial) → limiter → loudspeaker
// Play it: z s x d c v g b h n j m play an octave, q 2 w 3 e r 5 t 6 y 7 u another
//          ← → choose the octaves, ↑ ↓ how many are shown, space is the pedal; the terminal shows the keys
// Run: swift run Examples/Piano; recorded instruments: --soundfont /usr/share/sounds/sf2/TimGM6mb.sf2
//      one piano for all in a room: --room NAME; Enter starts its rhythm
//      on the grid of a rhythm of 96 beats per minute: --tempo 96 --grid 8
//      with a drum machine's MIDI clock: --midi-clock follow; or leading it: --midi-clock lead
//      with a MIDI keyboard: --midi (Docs/MIDI.md); without one: --midi sim:chords
// Try next: play it from another program with MoNet.on("/note"); piano.set("brightness", to: 0.9);
//   play your own tune.
import MoConsole
import MoOrchestra

let tempo = MoOption("tempo", "BPM", "the tempo of a rhythm for --grid, outside a room")

MoApp.run("A piano of 88 keys: the computer's keys play it.", options: [tempo]) {
  let beatsPerMinute = try tempo.number(in: 20...999)
  let piano = try PianoConsole.open()
  if try MoRoom.joinIfNamed() {
    if tempo.isGiven { MoRoom.remark(ignoring: "--tempo") }
    try piano.share(as: "piano")
    return
  }
  try PianoConsole.follow(tempo: beatsPerMinute.map { Tempo($0) })
}
