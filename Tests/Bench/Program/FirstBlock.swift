import Glibc
import MoMu
import Synchronization

/// Prints when the first block of ShakeDrum's instrument was asked for, as host time in nanoseconds.
func measureFirstBlock() {
  let first = Atomic<Int64>(0)
  MoApp.run("Times the first block.", arguments: options) {
    let energy = MoParam(0)
    let strike = MoTrigger()
    try MoAccel.addCallback { motion in
      energy.value = motion.activity
      if let force = motion.strike { strike.fire(force, at: motion.time) }
    }
    try MoAudio.start(Shaker(), Drum(), 0) { shaker, drum, calls, block in
      calls += 1
      // The first call is on silence, before the device plays.
      if calls == 2 { first.store(SystemClock().now.nanoseconds, ordering: .releasing) }
      for frame in block.frames {
        if let force = strike.due(at: block.playedTime(frame)) { drum.strike(force) }
        block[frame] = shaker.tick(energy.value) + drum.tick()
      }
    }
    wait { first.load(ordering: .acquiring) != 0 }
    print(first.load(ordering: .relaxed))
    MoAudio.stop()
    exit(0)
  }
}
