// DrumMachine: a grid of drums in the terminal, played on the beat.
//
// You will hear: a kick, a snare and a hat; what you write into the grid, from the moment you write it.
// Signal path: grid → SwungSteps (each stroke at its exact frame) → DrumKit → loudspeaker
// What your hands do: arrows move, x sets a stroke, space starts and stops, + and − change the tempo, u takes back.
// Run: swift run Examples/DrumMachine; one machine for all in a room: --room NAME
//      DRUMS_KIT=FOLDER plays its WAV files, DRUMS_PATTERN=FILE its pattern, instead of these
// Try next: eight rows, DrumLayout(rows: 8); a second pattern (n) and a chain (a); MoAccel as the swing.
import MoConsole
import MoOrchestra

MoApp.run("A drum machine: write strokes into the grid while it plays.") {
  let folder = MoApp.environment("DRUMS_KIT", default: "")
  let file = MoApp.environment("DRUMS_PATTERN", default: "")

  let board = DrumBoard()
  try board.load(
    """
    kick   x... ..x. x... ....
    snare  .... x... .... x..3
    hat    o.o. o.o. o.o. o.oo
    """)
  if !file.isEmpty { try board.load(file: file) }
  board.swing = 0.2

  let kit = folder.isEmpty ? nil : try SampleKit(folder: folder)
  try MoAudio.play(DrumMachine(board, samples: kit))
  // The terminal shows the grid. Keys edit it. In a room all members share it.
  try DrumConsole.openTogether(board)
}
