import Glibc
import MoAudioEngine
import MoCore

/// One direction of a card with its own clock, in virtual time; a capture records the test's signal.
///
/// It interrupts at the end of each period. A precise card reports its position at any moment, to a millisecond. A
/// coarse one reports only its position at its last interrupt.
final class DriftingPCM: PCMStream {
  let periodFrames: Int
  let bufferFrames: Int
  let channels = 1
  let sampleFormat = SampleFormat.float
  let descriptorCount = 1
  let deepestFrames = 0
  private let isCapture: Bool
  private let clock: ManualClock
  private let bell = WakeEvent()
  /// Frames by which the reported position moves.
  private let grain: Int64
  /// Frames queued at which playback wakes.
  private let wakeQueue: Int64
  /// The signal at the microphone at a moment, in seconds.
  private let sound: (Double) -> Float

  /// Frames per second, and the moment and the frame from which on they count.
  private(set) var rate: Double
  private var origin = HostTime.zero
  private var originFrame = 0.0
  /// Frames exchanged with the program since the start.
  private(set) var exchanged: Int64 = 0
  private var isRunning = false
  private(set) var xruns = 0

  init(
    capture: Bool, clock: ManualClock, ppm: Double, period: Int, periods: Int, depth: Int = 0,
    isCoarse: Bool = false, sound: @escaping (Double) -> Float = { _ in 0 }
  ) {
    (isCapture, self.clock, self.sound) = (capture, clock, sound)
    periodFrames = period
    bufferFrames = period * periods
    grain = isCoarse ? Int64(period) : 48
    wakeQueue = Int64(depth - period)
    rate = 48_000 * (1 + ppm * 1e-6)
    bell.raise()
  }

  /// Changes the rate of the clock from now on.
  func step(toPPM ppm: Double) {
    originFrame = position(at: clock.now)
    origin = clock.now
    rate = 48_000 * (1 + ppm * 1e-6)
  }

  /// Stops as after an underrun or overrun.
  func stopByXrun() { isRunning = false }

  /// The time of its next wake of the program.
  var nextWake: HostTime {
    guard isRunning else { return clock.now }
    let period = Double(periodFrames)
    let needed = isCapture ? exchanged + Int64(periodFrames) : exchanged - wakeQueue
    let frame = (Double(needed) / period).rounded(.up) * period
    // A few nanoseconds later, as moments are rounded to whole ones.
    return time(ofFrame: frame + 2e-4)
  }

  func time(ofFrame frame: Double) -> HostTime { origin.advanced(bySeconds: (frame - originFrame) / rate) }

  private func position(at time: HostTime) -> Double { originFrame + time.seconds(since: origin) * rate }

  /// The reported position: that at its last interrupt, and since then with a finer grain.
  private func reported(_ grain: Int64) -> Int64 {
    let position = Int64(position(at: clock.now))
    return max(position / grain * grain, position / Int64(periodFrames) * Int64(periodFrames))
  }

  private var isWoken: Bool {
    guard isRunning else { return true }
    let position = reported(Int64(periodFrames))
    return isCapture
      ? position - exchanged >= Int64(periodFrames) : exchanged - position <= wakeQueue
  }

  // MARK: PCMStream

  /// Called before each poll, which cannot sleep in virtual time.
  var sleep: () -> Void = {}

  func addDescriptors(to requests: UnsafeMutablePointer<pollfd>) {
    sleep()
    requests[0] = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
  }

  func events(in requests: UnsafeMutablePointer<pollfd>) -> Int32 { isWoken ? POLLIN | POLLOUT : 0 }

  func status() -> PCMStatus {
    let queue = isCapture ? reported(grain) - exchanged : exchanged - reported(grain)
    if queue > Int64(bufferFrames) || queue < 0 || !isRunning {
      if isRunning { xruns += 1 }
      isRunning = false
      return PCMStatus(state: .xrun)
    }
    let available = isCapture ? Int(queue) : bufferFrames - Int(queue)
    return PCMStatus(available: available, delay: Int(queue), time: clock.now)
  }

  func available() -> Int { status().available }

  func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    exchanged += Int64(count)
    return count
  }

  func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int {
    let samples = frames.assumingMemoryBound(to: Float.self)
    for index in 0..<count {
      let moment = origin.seconds + (Double(exchanged) + Double(index) - originFrame) / rate
      samples[index] = sound(moment)
    }
    exchanged += Int64(count)
    return count
  }

  func deepen(to frames: Int) -> Bool { false }

  func prepare() -> Int32 {
    exchanged = 0
    return 0
  }

  func begin() -> Int32 {
    (origin, originFrame) = (clock.now, 0)
    isRunning = true
    return 0
  }

  func drop() -> Int32 {
    isRunning = false
    return 0
  }

  func resume() -> Int32 { 0 }
  func close() {}
}
