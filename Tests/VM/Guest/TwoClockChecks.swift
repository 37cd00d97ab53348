import CALSA
import Glibc
import MoMu
import Synchronization

/// MoAudio playing on one card and recording from another, whose clock runs 100 ppm fast.
///
/// The dummy card plays, by the guest's own timer. The loopback records, with its rate shifted, a tone that a program
/// plays on its other side. The tone's phase shows how evenly the input arrives.
func checkTwoClocks(_ report: Report) throws {
  let seconds = getenv("clockseconds").flatMap { Int(String(cString: $0)) } ?? 32
  // The loopback moves in ticks of 4 ms, so its rate is known only after some 15 s.
  let settling = seconds > 100 ? 60 : 20
  try shiftRate(to: 99_990)
  let isDone = Flag()
  let peer = Background {
    let out = try PCM("hw:Loopback,0,0", SND_PCM_STREAM_PLAYBACK, .s32, channels: 1, periods: 8)
    // 1 kHz by the loopback's own clock, a third of a second in whole periods.
    let tone = (0..<48 * 256).map { Int32(sin(2 * .pi * Double($0) / 48) * 0x1p30) }
    var place = 0
    while !isDone.isSet {
      try out.play(tone[place..<place + 256])
      place = (place + 256) % tone.count
    }
  }
  let meter = ToneMeter(seconds: seconds + 5)
  let account = TimeAccount(after: settling)
  try MoAudio.start(
    meter, account, device: "hw:Dummy,0+hw:Loopback,1,0", blockFrames: 256, inputs: 1, outputs: 2
  ) { meter, account, block in
    for index in block.input.indices { meter.add(block.input[index]) }
    account.add(block.inputTime, before: block.time)
  }
  pause(Double(seconds))
  let status = MoAudio.status
  MoAudio.stop()
  isDone.set()
  try peer.wait()
  try shiftRate(to: 100_000)

  let input = status.inputClock
  report.note("\(seconds) s: \(input?.description ?? "one clock"), load \(status.load)")
  report.check("no xrun in \(seconds) s", status.xruns == 0, "\(status.xruns)")
  report.check(
    "no frame of the input is dropped or repeated",
    input.map { $0.droppedFrames == 0 && $0.repeatedFrames == 0 && $0.resyncs == 0 } ?? false, "\(status)")
  report.check(
    "the status reports that the input runs 100 ppm fast", input.map { abs($0.driftPPM - 100) < 10 } ?? false,
    "\(input?.driftPPM ?? 0)")
  let found = meter.evenness(from: settling, to: seconds - 1)
  report.note("the tone rises by \(found.ppm) ppm and is within \(found.jitter * 1e6) µs of even")
  // An input that is even within 0.1 ms may be 0.1 ms early at one end and 0.1 ms late at the other.
  report.check(
    "the tone is there, and 100 ppm high", abs(found.ppm - 100) < 200 / Double(seconds - settling),
    "\(found.ppm) ppm")
  report.check(
    "the input is even within 0.1 ms from \(settling) s on", found.jitter < 0.0001,
    "\(found.jitter * 1e6) µs")
  report.note("from the microphone to the ear \(account.shortest * 1e3) to \(account.longest * 1e3) ms")
  report.check(
    "the time from microphone to ear is within 0.1 ms of its middle for all blocks",
    account.longest - account.shortest < 0.0002, "\((account.longest - account.shortest) * 1e6) µs in all")
}

/// Sets the time of a frame on the loopback's cable from device 0's playback to device 1's capture; 100,000 is the
/// nominal time.
private func shiftRate(to rate: Int) throws {
  var opened: OpaquePointer?
  guard snd_ctl_open(&opened, "hw:Loopback", 0) == 0, let control = opened else {
    throw Failure("snd_ctl_open hw:Loopback")
  }
  defer { snd_ctl_close(control) }
  var made: OpaquePointer?
  snd_ctl_elem_value_malloc(&made)
  guard let value = made else { throw Failure("snd_ctl_elem_value_malloc") }
  defer { snd_ctl_elem_value_free(value) }
  snd_ctl_elem_value_set_interface(value, SND_CTL_ELEM_IFACE_PCM)
  snd_ctl_elem_value_set_device(value, 1)
  snd_ctl_elem_value_set_subdevice(value, 0)
  snd_ctl_elem_value_set_name(value, "PCM Rate Shift 100000")
  snd_ctl_elem_value_set_integer(value, 0, rate)
  let status = snd_ctl_elem_write(control, value)
  guard status >= 0 else { throw Failure(call: "PCM Rate Shift 100000", errno: -status) }
}

/// A flag that a task is finished.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

/// The phase of a tone of 48 frames, each hundredth of a second; the audio thread writes it, and it is read after the
/// thread has stopped.
private final class ToneMeter: @unchecked Sendable {
  // Unchecked: one thread writes, and another reads after it has ended.
  private let turns: [(cosine: Float, sine: Float)]
  private let phases: UnsafeMutableBufferPointer<Float>
  private var count = 0
  private var place = 0
  private var sum: (cosine: Float, sine: Float) = (0, 0)

  init(seconds: Int) {
    turns = (0..<480).map { frame in
      let angle = 2 * Double.pi * Double(frame) / 48
      return (Float(cos(angle)), Float(sin(angle)))
    }
    phases = .allocate(capacity: seconds * 100)
    phases.initialize(repeating: 0)
  }

  deinit { phases.deallocate() }

  func add(_ sample: Float) {
    sum.cosine += sample * turns[place].cosine
    sum.sine += sample * turns[place].sine
    place += 1
    guard place == turns.count else { return }
    if count < phases.count {
      phases[count] = atan2f(sum.cosine, sum.sine)
      count += 1
    }
    (place, sum) = (0, (0, 0))
  }

  /// Returns the excess of the tone's speed over one turn in 48 frames, and the largest distance of its phase from a
  /// straight line.
  func evenness(from first: Int, to last: Int) -> (ppm: Double, jitter: Double) {
    guard count >= last * 100, last > first else { return (.nan, .infinity) }
    var line: [Double] = []
    for phase in phases[first * 100..<last * 100] {
      let before = line.last ?? Double(phase)
      line.append(before + remainder(Double(phase) - before, 2 * .pi))
    }
    let middle = Double(line.count - 1) / 2
    let mean = line.reduce(0, +) / Double(line.count)
    var (product, square) = (0.0, 0.0)
    for (index, phase) in line.enumerated() {
      product += (Double(index) - middle) * (phase - mean)
      square += (Double(index) - middle) * (Double(index) - middle)
    }
    let slope = product / square
    let distances = line.enumerated().map { abs($1 - mean - slope * (Double($0) - middle)) }
    let furthest = distances.max() ?? .infinity
    // A hundredth of a second holds ten turns; a turn is a millisecond.
    return (slope / (2 * .pi * 10) * 1e6, furthest / (2 * .pi * 1000))
  }
}

/// The time from the microphone to the ear for the input of a block, once it has settled.
private final class TimeAccount: @unchecked Sendable {
  // Unchecked: one thread writes, and another reads after it has ended.
  private(set) var shortest = Double.infinity
  private(set) var longest = -Double.infinity
  private var blocks: Int

  /// - Parameter seconds: the time of the first blocks, which do not count.
  init(after seconds: Int) { blocks = -seconds * 48_000 / 256 }

  func add(_ time: HostTime?, before heard: HostTime) {
    blocks += 1
    guard blocks > 0 else { return }
    let age = time.map { heard.seconds(since: $0) } ?? .infinity
    (shortest, longest) = (min(shortest, age), max(longest, age))
  }
}
