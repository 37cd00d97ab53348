// OSCSynth: eight bells that any OSC program can play.
//
// You will hear: a bell for every /note. /bend changes the pitch, /volume the loudness.
// Signal path: network → /note → MoSchedule (at its exact frame) → Bell ×8 → loudspeaker
// Play it: oscsend localhost 6449 /note ff 60 0.8     (pitch as a MIDI note number, force 0 … 1)
//          oscsend localhost 6449 /bend f 1.5         (semitones up or down)
// You can also play it from ChucK, Pd, SuperCollider, TouchOSC or Python.
// A note with a time tag in the future sounds at exactly that sample.
// Run: swift run Examples/OSCSynth; another port: --net udp:9000
// Try next: add a message /cutoff; open a second port with listenTCP; bend the notes with MoAccel.
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
      block[frame] = ring.tick(bend.tick()) * volume.tick()
    }
  }
}
