// ShakeDrum: shake the device to rattle a shaker, move it sharply to strike a drum.
//
// You will hear: seeds that rattle as wildly as you move, and a drum at every strike.
// Signal path: accelerometer → activity → Shaker ┐
//                            → strike → Drum ────┴→ loudspeaker
// What your hands do: shake. No accelerometer? Space shakes, the arrows tilt.
// Run: swift run Examples/ShakeDrum
// Try next: write 0.1 * ( ) around the sum in block[frame]: the sound gets 20 dB softer. Then let the tilt set the drum's
// pitch: add `let tilt = MoParam(0)`, then `tilt.value = motion.tilt.roll` (degrees) to addCallback, and
// `drum.frequency = 110 + tilt.tick()` (Hz) to the loop. `value` sets the goal; `tick` glides there, once a frame.
// A simulated player tilts, too, with `--accel sim:play`.
import MoMu

MoApp.run("Shake it: a shaker rattles, a strike sounds the drum.") {
  let energy = MoParam(0)  // a number that two threads share; it changes gradually
  let strike = MoTrigger()  // an event from one thread to another

  try MoAccel.addCallback { motion in  // runs on the sensor's thread
    energy.value = motion.activity  // 0 still … 1 wild
    if let force = motion.strike { strike.fire(force, at: motion.time) }
  }
  try MoAudio.start(Shaker(), Drum()) { shaker, drum, block in  // runs on the audio thread
    for frame in block.frames {
      if let force = strike.due(at: block.playedTime(frame)) { drum.strike(force) }  // at its frame
      block[frame] = shaker.tick(energy.tick()) + drum.tick()  // tick(): next value
    }
  }
}
