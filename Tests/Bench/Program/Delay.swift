import MoMu
import Synchronization

/// Prints, a line for every reading, how long after its stamp the program heard of it, the callback of the block
/// that plays it began, and the frame that plays it reached the ear; offline all times are counted in frames.
func measureDelay(frames: Int, isOffline: Bool) {
  let readings = MoQueue<Reading>(capacity: 1 << 16)
  let onsets = MoQueue<Onset>(capacity: 1 << 16)
  let trigger = MoTrigger()
  MoApp.run("Times readings on their way to the ear.", arguments: options) {
    // At 48,000 Hz readings 10 ms apart would meet blocks of 64 frames at two phases only.
    try MoAudio.start(sampleRate: 44_100, blockFrames: frames) { block in
      let called = isOffline ? block.time : SystemClock().now
      for frame in block.frames where trigger.due(at: block.playedTime(frame)) != nil {
        onsets.push(Onset(called: called, heard: block.time(frame)))
      }
    }
    try MoAccel.addCallback { motion in
      readings.push(Reading(stamp: motion.time, arrived: isOffline ? motion.time : SystemClock().now))
      trigger.fire(1, at: motion.time)
    }
  }
  while let reading = readings.pop(), let onset = onsets.pop() {
    let stages = [reading.arrived, onset.called, onset.heard].map { ($0 - reading.stamp).nanoseconds }
    print("\(stages[0]) \(stages[1]) \(stages[2])")
  }
}

/// When a reading was taken, and when the program heard of it.
struct Reading: BitwiseCopyable, Sendable {
  let stamp: HostTime
  let arrived: HostTime
}

/// When the callback that plays a reading began, and when its sound reached the ear.
struct Onset: BitwiseCopyable, Sendable {
  let called: HostTime
  let heard: HostTime
}
