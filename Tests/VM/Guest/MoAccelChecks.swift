import Glibc
import MoMu
import Synchronization

/// MoAccel on a kernel device: exact readings, kernel timestamps, and devices that come and go.
func checkMoAccel(_ report: Report) throws {
  let events = Events()
  let eventToken = MoAccel.onEvent { events.add("\($0)") }
  defer { eventToken.cancel() }
  let heard = Mutex<[Motion]>([])
  let token = try MoAccel.addCallback { motion in heard.withLock { $0.append(motion) } }
  defer { token.cancel() }
  report.check(
    "a simulated player plays if there is no device", MoAccel.source == "sim:shake", "\(MoAccel.source ?? "")"
  )

  var player: VirtualAccelerometer? = try VirtualAccelerometer()
  let path = player?.path ?? ""
  try waitUntil("a device that appears is used", report) { MoAccel.source == "evdev:\(path)" }
  pause(0.1)
  heard.withLock { $0 = [] }
  let gesture = (0..<100).map { step in
    let step = Int32(step)
    return Sample(time: Double(step) * 0.01, x: 40 * step + 1, y: -20 * step - 1, z: 8192 - step)
  }
  let clock = SystemClock()
  let begun = clock.now
  let playing = Sending(player)
  try Background { playing.value?.play(gesture) }.wait()
  pause(0.1)
  let motions = heard.withLock { $0 }
  report.check("every reading arrives", motions.count == 100, "\(motions.count)")
  let exact = zip(motions, gesture).allSatisfy {
    $0.x == Float($1.x) / 8192 && $0.y == Float($1.y) / 8192 && $0.z == Float($1.z) / 8192
  }
  report.check("readings are in g, by the device's resolution", exact)
  let late = zip(motions, gesture).map { abs($0.time.seconds(since: begun) - $1.time) }.max() ?? 9
  report.check("the timestamps are the times of the events, within 1 ms", late < 0.001, "\(late) s")
  let last = MoAccel.reading
  report.check(
    "the latest reading can be polled", last.x == Float(gesture[99].x) / 8192 && MoAccel.z == Double(last.z))

  player?.flood(last: Sample(x: 8192, y: 0, z: 4096))
  try waitUntil("the state is right after more events than the kernel stores", report) {
    MoAccel.reading.x == 1 && MoAccel.reading.z == 0.5
  }
  playing.value = nil
  player = nil
  try waitUntil("reports a removed device", report) { events.has("lost") }
  try waitUntil("a simulated source replaces a removed device", report) { MoAccel.source == "sim:shake" }
  let again = try VirtualAccelerometer()
  try waitUntil("a device is read again when it is plugged in again", report) {
    MoAccel.source == "evdev:\(again.path)"
  }
  MoAccel.stop()
  MoAccel.stop()
  report.check("reads nothing after stop", MoAccel.source == nil)
  try MoAccel.start(source: "evdev:\(again.path)")
  heard.withLock { $0 = [] }
  again.send(Sample(x: 1, y: 2, z: 3))
  try waitUntil("reads again after start", report) { heard.withLock { !$0.isEmpty } }
  MoAccel.stop()
}
