import Glibc
import MoMu
import Synchronization

/// From the kernel's timestamp to the block: every strike sounds at the latest in the first block whose callback starts
/// more than 1 ms after the reading's timestamp.
func checkStrike(_ report: Report) throws {
  let player = try VirtualAccelerometer()
  let gesture = ShakeGesture(shakes: [0.5, 1.13, 1.61, 2.04, 2.9, 3.333, 4.01, 4.6], seconds: 5.5)
  let strike = MoTrigger()
  let stamps = Mutex<[HostTime]>([])
  let starts = MoQueue<HostTime>(capacity: 8192)
  let hits = MoQueue<Hit>(capacity: 64)
  let token = try MoAccel.addCallback { motion in
    guard let force = motion.strike else { return }
    stamps.withLock { $0.append(motion.time) }
    strike.fire(force, at: motion.time)
  }
  defer { token.cancel() }
  try MoAudio.start(device: "hw:Loopback,0,0", blockFrames: 256, outputs: 2) { block in
    starts.push(SystemClock().now)
    for frame in block.frames {
      if strike.due(at: block.time(frame)) != nil {
        hits.push(Hit(start: SystemClock().now, position: block.position, frame: frame))
      }
    }
  }
  pause(0.5)
  let playing = Sending(player)
  try Background { playing.value.play(gesture.samples) }.wait()
  pause(0.5)
  MoAudio.stop()
  MoAccel.stop()
  var begun: [HostTime] = []
  while let start = starts.pop() { begun.append(start) }
  var sounded: [HostTime] = []
  while let hit = hits.pop() {
    sounded.append(begun.last { $0 <= hit.start } ?? .zero)
  }
  let fired = stamps.withLock { $0 }
  report.check("8 shakes give 8 strikes", fired.count == 8, "\(fired.count)")
  report.check("8 shakes give 8 hits", sounded.count == 8, "\(sounded.count)")
  let late = zip(fired, sounded).filter { stamp, start in
    let first = begun.first { $0.seconds(since: stamp) > 0.001 } ?? .distantFuture
    return start > first
  }
  report.check(
    "each strike sounds in the first block that begins 1 ms after its timestamp", late.isEmpty,
    "\(late.count) were late")
  let delays = zip(fired, sounded).map { $1.seconds(since: $0) * 1000 }
  report.note("stamp to block, ms: \(delays.map { ($0 * 10).rounded() / 10 })")
}

private struct Hit: BitwiseCopyable, Sendable {
  var start: HostTime
  var position: Int64
  var frame: Int
}
