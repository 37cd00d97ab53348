import Glibc
import MoMu
import Synchronization

/// MoAudio full duplex through the loopback card, bit by bit in both directions, for half a minute.
func checkMoAudio(_ report: Report) throws {
  try checkBits(report, .s16, bits: 16)
  try checkBits(report, .s32, bits: 24)
  try checkEndurance(report)
}

/// Plays a payload from MoAudio to the peer and another from the peer to MoAudio, at the same time.
private func checkBits(_ report: Report, _ format: SampleFormat, bits: Int) throws {
  let frames = 96_000
  // It is shorter than the peer's payload, and later, since the peer records only from its own start.
  let sent = Payload(frames: frames / 2, format: format, seed: 7)
  let received = Payload(frames: frames, format: format, seed: 11)
  // A float holds 24 bits, so lower bits are not sent.
  let lead = [Float](repeating: 0, count: 48_000)
  let toPlay = lead + sent.samples.map { Float($0 & ~0xFF) * 0x1p-31 }
  let heard = Recording(capacity: 4 * frames)
  let peer = try LoopbackPeer(side: 1, format)
  try MoAudio.start(
    Player(toPlay), heard, device: "hw:Loopback,0,0", blockFrames: 256, inputs: 2, outputs: 2
  ) { player, heard, block in
    for index in block.output.indices { block.output[index] = player.next() }
    for index in block.input.indices { heard.add(block.input[index]) }
  }
  let name = format.rawValue
  report.check(
    "\(name): the device's own figures", MoAudio.sampleRate == 48_000 && MoAudio.blockFrames == 256)
  let atPeer = try peer.exchange(received.samples)
  report.check("\(name): no xrun", MoAudio.xruns == 0, "\(MoAudio.xruns)")
  MoAudio.stop()
  let outFlaw = sent.flaw(in: atPeer, bits: bits)
  report.check("\(name): what MoAudio plays arrives in its top \(bits) bits", outFlaw == nil, outFlaw ?? "")
  let back = heard.samples.map { Int32(($0 * 0x1p31).rounded(.towardZero).clamped(-0x1p31, 0x1p31 - 128)) }
  let inFlaw = received.flaw(in: back, bits: bits)
  report.check("\(name): what MoAudio hears arrives in its top \(bits) bits", inFlaw == nil, inFlaw ?? "")
}

private func checkEndurance(_ report: Report) throws {
  try MoAudio.start(device: "hw:Loopback,0,0", blockFrames: 256, inputs: 2, outputs: 2) { block in
    for frame in block.frames { block[frame] = 0.1 }
  }
  pause(30)
  let status = MoAudio.status
  MoAudio.stop()
  report.check("no xrun in 30 s at 256 × 4", status.xruns == 0, "\(status.xruns)")
  report.check("30 s are 5625 blocks", abs(status.blocks - 5625) < 20, "\(status.blocks)")
  report.check("the thread has real-time priority and locked memory", status.shortcomings.isEmpty)
  report.note("latency \(status.latency * 1000) ms, drift \(status.driftPPM) ppm")
}

/// Samples to play one after the other, then silence; used by the audio thread only.
final class Player {
  private let samples: [Float]
  private var position = 0

  init(_ samples: [Float]) { self.samples = samples }

  func next() -> Float {
    guard position < samples.count else { return 0 }
    position += 1
    return samples[position - 1]
  }
}

/// Samples that the audio thread stores, to be read after it has stopped.
final class Recording: @unchecked Sendable {
  // Unchecked: one thread writes, and another reads after it has ended.
  private let memory: UnsafeMutableBufferPointer<Float>
  private var count = 0

  init(capacity: Int) {
    memory = .allocate(capacity: capacity)
    memory.initialize(repeating: 0)
  }

  deinit { memory.deallocate() }

  var samples: [Float] { Array(memory[..<count]) }

  func add(_ sample: Float) {
    guard count < memory.count else { return }
    memory[count] = sample
    count += 1
  }
}

extension Float {
  /// Clamps a value to two bounds.
  func clamped(_ low: Float, _ high: Float) -> Float { Swift.min(Swift.max(self, low), high) }
}
