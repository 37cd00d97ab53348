// momu-bench WHAT: one measurement each, printed as a plain number (or lines of them); `run` beside this repeats,
// pairs and tabulates.
import Glibc
import MoMu
import Synchronization

let what = CommandLine.arguments.dropFirst().first ?? ""
let clock = SystemClock()

switch what {
case "blocks":
  // Nanoseconds a block of 64 frames on a card that is always ready, with a callback that does nothing.
  let count = Atomic<Int>(0)
  try MoAudio.start(device: "null", blockFrames: 64) { _ in count.wrappingAdd(1, ordering: .relaxed) }
  clock.sleep(until: clock.now + .milliseconds(200))
  let (first, begun) = (count.load(ordering: .relaxed), clock.now)
  clock.sleep(until: begun + .seconds(1))
  let (last, ended) = (count.load(ordering: .relaxed), clock.now)
  print(ended.seconds(since: begun) * 1e9 / Double(last - first))
  MoAudio.stop()
case "first-block":
  // Host time, in nanoseconds, at which the first live block is rendered; the parent knows when it started us.
  let first = Atomic<Int64>(0)
  let done = Atomic<Int>(0)
  try MoAudio.start(device: "virtual") { _ in
    if done.wrappingAdd(1, ordering: .relaxed).newValue == 2 {
      first.store(SystemClock().now.nanoseconds, ordering: .releasing)
    }
  }
  while first.load(ordering: .acquiring) == 0 { clock.sleep(until: clock.now + .milliseconds(1)) }
  print(first.load(ordering: .acquiring))
  MoAudio.stop()
case "stages":
  // Milliseconds from a strike's stamp to its callback, to the block it is due in, and to the ear.
  let strike = MoTrigger()
  let heard = MoQueue<Int64>(capacity: 256)
  let callbacks = MoQueue<Int64>(capacity: 256)
  let token = try MoAccel.addCallback { motion in
    guard let force = motion.jerk else { return }
    callbacks.push(SystemClock().now.nanoseconds - motion.time.nanoseconds)
    strike.fire(force, at: motion.time)
    heard.push(-motion.time.nanoseconds)
  }
  let blocks = MoQueue<Int64>(capacity: 256)
  let ears = MoQueue<Int64>(capacity: 256)
  try MoAudio.start(device: "virtual") { block in
    for frame in block.frames where strike.due(at: block.time(frame)) != nil {
      blocks.push(SystemClock().now.nanoseconds)
      ears.push(block.time(frame).nanoseconds)
    }
  }
  clock.sleep(until: clock.now + .seconds(6))
  MoAudio.stop()
  token.cancel()
  MoAccel.stop()
  while let delay = callbacks.pop(), let stamp = heard.pop(), let block = blocks.pop(), let ear = ears.pop() {
    print(Double(delay) * 1e-6, Double(block + stamp) * 1e-6, Double(ear + stamp) * 1e-6)
  }
default:
  print("usage: momu-bench blocks | first-block | stages")
  exit(64)
}
