// OSCSynth: eight bells that any OSC program can play.
//
// You will hear: a bell for every /note, bent by /bend, louder or softer by /volume.
// Signal path: the network → /note → MoSchedule (at its exact frame) → Bell ×8 → loudspeaker
// Play it: oscsend localhost 6449 /note ff 60 0.8     (pitch as MIDI counts, force 0 … 1)
//          oscsend localhost 6449 /bend f 1.5         (semitones up or down)
// or from ChucK, Pd, SuperCollider, TouchOSC, Python; a time tag in the future is kept to the sample.
// Run: swift run Examples/OSCSynth; another port: --net udp:9000
// Try next: a /cutoff of your own; a second port with listenTCP; let MoAccel bend it.
import MoMu

struct Note: BitwiseCopyable {
  var pitch: Float
  var force: Float
}

MoApp.run("Eight bells, played over the network: /note pitch force, /bend semitones, /volume 0-1.") {
  let notes = MoSchedule<Note>()
  let bend = MoParam(0)
  let volume = MoParam(0.8)

  MoNet.on("/note", into: notes) { (pitch: Float, force: Float) in Note(pitch: pitch, force: force) }
  MoNet.on("/bend", policy: .latest) { (semitones: Float) in bend.value = min(max(semitones, -12), 12) }
  MoNet.on("/volume", policy: .latest) { (level: Float) in volume.value = min(max(level, 0), 1) }

  try MoAudio.start(BellRing()) { ring, block in
    for frame in block.frames {
      while let note = notes.due(at: block.time(frame)) { ring.start(note) }
      block[frame] = ring.tick(bend.tick(block.sampleRate)) * volume.tick(block.sampleRate)
    }
  }
}
