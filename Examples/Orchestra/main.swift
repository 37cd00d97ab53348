// Orchestra: one beat on every machine in the room, and an instrument of your own.
//
// You will hear: nothing, until somebody presses Enter; then a click and drums, on all machines together, and what you
//   play on its sixteenths.
// Signal path: shared clock → beat → BeatSteps → Click, Beatbox; keys, movement → InstrumentBus → loudspeaker
// What your hands do: Enter starts and stops, + and − change the tempo; who starts it conducts. i takes the next instrument,
//   a to k are keys, space strikes; the list shows who plays what, and how lively.
// Run: swift run Examples/Orchestra, on each machine; --room NAME for a room of your own
//      ORCHESTRA_INSTRUMENT=harp swift run Examples/Orchestra --accel sim:tilt
//      ORCHESTRA_SONGS=FILE, a line per song such as "Take Five 170 5/4": n goes on to the next
// Try next: give the snare a bar of its own in Beatbox.swift; handle.share(), and your keys sound on all who play the same.
import MoConsole
import MoOrchestra

MoApp.run("One beat on every machine in the room, and an instrument of your own.") {
  try MoSession.join()
  let bus = InstrumentBus()
  bus.follow { MoSession.beat }
  try MoAudio.start(Click(), Beatbox()) { click, beatbox, block in
    bus.render(&block)
    let beat = MoSession.beat  // one look a block
    click.plan(block, beat)
    beatbox.plan(block, beat)
    for frame in block.frames {
      let sound = click.tick(frame) + beatbox.tick(frame)
      for channel in 0..<block.outputs { block[frame, channel] += sound }
    }
  }

  let player = SharedPlayer(bus)
  // After a crash: the instrument that it had.
  let wanted = MoApp.environment("ORCHESTRA_INSTRUMENT", default: MoSession.kept("instrument") ?? "")
  if !wanted.isEmpty { try player.use { try $0.take(named: wanted) } }
  try MoRoom.tellActivity { bus.handles }
  if MoRoom.isMoved { try MoAccel.addCallback { motion in player.use { $0.handle?.move(motion) } } }

  let songs = MoApp.environment("ORCHESTRA_SONGS", default: "")
  RoomConsole.open(
    help: "i I instrument   a to k play   z x octave   space strikes",
    songs: songs.isEmpty ? nil : try SongList(file: songs), picture: { player.use { $0.text } },
    keys: { key, now in try player.use { try $0.obey(key, at: now) } })
  if MoApp.environment("ORCHESTRA_START", default: "") == "yes" { try MoSession.start() }
}
