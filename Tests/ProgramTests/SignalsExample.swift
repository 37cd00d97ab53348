import MoDSP
import MoMu

// The program in Docs/Signals.md, compiled here; DocumentTests compares the two.
func signalsExample() {
  MoApp.run("Tilt it: a filtered saw, in a room.") {
    let tilt = MoParam(0)
    try MoAccel.addCallback { motion in tilt.value = motion.tilt.roll }
    let filter = StateVariable(.lowPass, frequency: 800, q: 4, sampleRate: 48_000)
    try MoAudio.start(Saw(frequency: 110), filter, Reverb(seconds: 2)) { saw, filter, room, block in
      for frame in block.frames {
        let cutoff = Double(MoFun.mapClamped(tilt.value, from: (-60, 60), to: (200, 4000)))
        filter.set(frequency: cutoff, q: 4, sampleRate: block.sampleRate)
        let (left, right) = room.tick(0.2 * filter.tick(saw.tick()))
        block[frame, 0] = left
        if block.outputs > 1 { block[frame, 1] = right }
      }
    }
  }
}
