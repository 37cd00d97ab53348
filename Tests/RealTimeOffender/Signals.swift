import Glibc
import MoDSP
import MoMu

/// Players, writers and listeners, made before the callback.
final class HeldSignals: @unchecked Sendable {
  // Unchecked: the program has one callback and waits for it.
  let memory: MoAudioFileIn
  let stream: MoAudioFileIn?
  let out: MoAudioFileOut?
  let tracker = PitchTracker()
  var detector = OnsetDetector()
  var features = MotionFeatures()
  var slew = Slew3(.zero, within: 0.1)
  var time = HostTime.zero

  init() {
    let path = "/tmp/momu-offender-\(getpid()).wav"
    memory = MoAudioFileIn(
      SoundBuffer((0..<10_000).map { sin(Float($0) * 0.05) }, channels: 2, sampleRate: 44_100))
    memory.isLooping = true
    memory.rate = 1.7
    let made = try? MoAudioFileOut(path)
    for index in 0..<100_000 { made?.tick(sin(Float(index) * 0.03)) }
    made?.close()
    stream = try? MoAudioFileIn(path, streamed: true)
    stream?.isLooping = true
    stream?.rate = -0.9
    unlink(path)
    out = try? MoAudioFileOut(path)
    unlink(path)
  }
}

let heldSignals = HeldSignals()

/// Sixteen frames of a file in memory, one from the disk and one to it, heard and felt; no offence.
func signal() {
  let held = heldSignals
  guard let stream = held.stream, let out = held.out else { fatalError("no files in /tmp") }
  for _ in 0..<16 {
    let sample = held.memory.tick() + stream.tick()
    out.tick(sample, held.memory.lastFrame(1))
    held.tracker.tick(sample)
    _ = held.detector.tick(sample)
    held.slew.follow(Vector3(sample, 0, 0), by: 1e-3)
  }
  held.time = held.time.advanced(bySeconds: 0.005)
  _ = held.features.read(time: held.time, x: stream.lastOut * 3, y: 0, z: 1)
  if held.memory.place > 4000 { stream.addTime(held.memory.rate * 100) }
  held.memory.rate = -held.memory.rate
}
