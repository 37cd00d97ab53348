// DrumMachine: a drum grid in the terminal that loops on the beat.
//
// You will hear: a kick, a snare and a hi-hat. You hear each change of the grid immediately.
// Signal path: grid → SwungSteps (each strike at its exact frame) → DrumKit → loudspeaker
// What your hands do: the arrows move the cursor, x sets a strike, space starts and stops,
//   + and − change the tempo, u undoes.
// Run: swift run Examples/DrumMachine; one machine shared by all in a room: --room NAME
//      --midi-out FLUID sends the strikes to a synthesizer; --midi-clock lead starts and stops other drum machines
//      --kit FOLDER plays your own WAV files; --pattern FILE loads your own pattern
// Try next: eight rows, with DrumLayout(rows: 8); a second pattern (n) and a chain of patterns (a);
//   set the swing from MoAccel.
import MoConsole
import MoOrchestra

let kit = MoOption("kit", "FOLDER", "your own sounds: kick.wav, snare.wav and others")
let pattern = MoOption("pattern", "FILE", "your own pattern: a line of strikes for each sound")

MoApp.run("A drum machine: write strikes into the grid while it plays.", options: [kit, pattern]) {
  let board = DrumBoard()
  try board.load(
    """
    kick   x... ..x. x... ....
    snare  .... x... .... x..3
    hat    o.o. o.o. o.o. o.oo
    """)
  if let file = pattern.text { try board.load(file: file) }
  board.swing = 0.2

  let samples = try kit.text.map { try SampleKit(folder: $0) }
  let machine = try MoAudio.play(DrumMachine(board, samples: samples))
  try MoMIDI.sendNotes(of: machine)  // with --midi-out
  // The terminal shows the grid. Keys edit it. In a room all members share it.
  try DrumConsole.openTogether(board)
}
