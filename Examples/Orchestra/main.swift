// Orchestra: one beat on every machine in the room, and an instrument of your own.
//
// You will hear: silence until a member presses Enter. Then a click and drums play on all machines,
//   and your own notes sound on the nearest sixteenth.
// Signal path: shared clock → beat → BeatSteps → Click, Beatbox → loudspeaker
//              keys, movement → InstrumentBus → loudspeaker
// What your hands do: Enter starts and stops, + and − change the tempo.
//   The member that starts conducts. i chooses the next instrument, a to k are keys, space strikes.
//   The list shows each member's instrument and activity.
// Run: swift run Examples/Orchestra, on each machine; --room NAME for a room of your own
//      swift run Examples/Orchestra --instrument harp --accel sim:tilt
//      --midi-clock follow: a drum machine conducts the room; --midi-clock lead: drum machines follow it (Docs/MIDI.md)
//      --songs FILE, one line per song such as "Take Five 170 5/4": n goes to the next song
// Try next: give the snare a bar of its own in Beatbox.swift;
//   call handle.share(), and your keys also sound on each machine that plays the same instrument.
import MoConsole
import MoOrchestra

let instrument = MoOption("instrument", "NAME", "your first instrument, such as harp")
let songFile = MoOption("songs", "FILE", "your songs, a line each: Take Five 170 5/4")
let conduct = MoOption(flag: "conduct", "start the rhythm, and conduct")
let own = [instrument, songFile, conduct]

MoApp.run("One beat on every machine in the room, and an instrument of your own.", options: own) {
  try MoSession.join()
  try MoRoom.syncGear()  // --midi-clock lead|follow
  let bus = InstrumentBus()
  bus.follow { MoSession.beat }
  try MoAudio.start(Click(), Beatbox()) { click, beatbox, block in
    bus.render(&block)
    let beat = MoSession.beat  // read once per block
    click.plan(block, beat)
    beatbox.plan(block, beat)
    for frame in block.frames {
      let sound = click.tick(frame) + beatbox.tick(frame)
      for channel in 0..<block.outputs { block[frame, channel] += sound }
    }
  }

  let player = SharedPlayer(bus)
  // After a crash, continue with the previous instrument.
  if let name = instrument.text ?? MoSession.kept("instrument") {
    try player.use { try $0.choose(named: name) }
  }
  try MoRoom.tellActivity { bus.handles }
  if MoRoom.isMoved { try MoAccel.addCallback { motion in player.use { $0.handle?.move(motion) } } }

  RoomConsole.open(
    help: player.use { $0.help },
    songs: try songFile.text.map { try SongList(file: $0) }, picture: { player.use { $0.text } },
    keys: { key, now in try player.use { try $0.obey(key, at: now) } })
  if conduct.isGiven { try MoSession.startRhythm() }
}
