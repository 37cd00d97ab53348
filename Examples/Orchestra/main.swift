// Orchestra: one beat on every machine in the room.
//
// You will hear: nothing, until somebody presses space; then a click and drums, on all machines together.
// Signal path: shared clock → beat → BeatSteps → Click, Beatbox → loudspeaker
// What your hands do: space starts and stops, + and − change the tempo; who starts it conducts.
// Run: swift run Examples/Orchestra, on each machine; --room NAME for a room of your own
// Try next: give the snare a bar of its own in Beatbox.swift; let MoAccel strike a drum on the next sixteenth.
import MoOrchestra

MoApp.run("One beat on every machine in the room: a click and drums.") {
  try MoSession.join()
  SessionDesk.open()  // the terminal shows who is here; keys conduct

  try MoAudio.start(Click(), Beatbox()) { click, beatbox, block in
    let beat = MoSession.beat  // one look a block
    click.plan(block, beat)
    beatbox.plan(block, beat)
    for frame in block.frames {
      block[frame] = click.tick(frame) + beatbox.tick(frame)
    }
  }
  if MoApp.environment("ORCHESTRA_START", default: "") == "yes" { try MoSession.start() }
}
