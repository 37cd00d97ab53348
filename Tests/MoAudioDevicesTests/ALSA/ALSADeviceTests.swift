import Glibc
import MoAudioDevices
import MoAudioEngine
import MoCore
import MoTesting
import Testing

/// Devices through alsa-lib itself, with its own plugins as cards: `file` writes the played sound.
///
/// Serial, since definitions are added to a configuration that others read.
@Suite("ALSA devices", .serialized)
struct ALSADeviceTests {
  private let folder = Scratch()

  private func wanted(
    rate: Double = 48_000, block: Int = 256, inputs: Int = 0, outputs: Int = 2
  ) -> AudioFormat {
    AudioFormat(sampleRate: rate, blockFrames: block, inputs: inputs, outputs: outputs)
  }

  private func open(_ playback: String?, _ capture: String? = nil, _ wanted: AudioFormat) throws -> ALSADevice
  {
    try ALSADevice(name: playback ?? capture ?? "", playback: playback, capture: capture, wanted: wanted)
  }

  /// Runs whole cycles: each gives a block of input and accepts one of output.
  private func run(
    _ device: ALSADevice, blocks: Int, _ play: (Int, UnsafeMutableBufferPointer<Float>) -> Void = { _, _ in },
    heard: (UnsafeBufferPointer<Float>) -> Void = { _ in }
  ) throws {
    let input = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: device.format.blockFrames * device.format.inputs)
    let output = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: device.format.blockFrames * device.format.outputs)
    defer {
      input.deallocate()
      output.deallocate()
    }
    input.initialize(repeating: 0)
    output.initialize(repeating: 0)
    try device.start()
    var done = 0
    var tries = 0
    while done < blocks, tries < 100 * blocks {
      tries += 1
      guard case .ready = device.wait() else { continue }
      if device.format.inputs > 0 {
        #expect(device.read(input))
        heard(UnsafeBufferPointer(input))
      }
      play(done, output)
      if device.format.outputs > 0 { #expect(device.write(UnsafeBufferPointer(output))) }
      done += 1
    }
    #expect(done == blocks)
    device.stop()
  }

  @Test("play through `null` in the requested format, in floats")
  func null() throws {
    let device = try open("null", nil, wanted(block: 128))
    defer { device.close() }
    #expect(device.format == wanted(block: 128))
    try run(device, blocks: 100) { _, output in output.update(repeating: .nan) }
    #expect(device.counts.recoveries == 0)
    #expect(device.counts.faults == SampleConversion.Faults(notNumbers: 100 * 128 * 2, clipped: 0))
  }

  @Test("start again after a stop, any number of times")
  func restarts() throws {
    let device = try open("null", "null", wanted(inputs: 2))
    defer { device.close() }
    for _ in 0..<20 { try run(device, blocks: 3) }
  }

  @Test("play 16-bit samples bit-exactly into a card of integers", arguments: [64, 256, 1000])
  func bitExactOut(_ block: Int) throws {
    let path = "\(folder.path)/out.raw"
    let name = "momu_whole_\(block)"
    ALSADefinitions.add(
      """
      pcm.\(name) { type linear slave { format S16_LE pcm {
        type file slave.pcm { type null } file "\(path)" format raw } } }
      """)
    let values = (0..<20 * block).map { Int16(truncatingIfNeeded: $0 * 40_503) }
    let device = try open(name, nil, wanted(block: block, outputs: 1))
    let depth = device.outputLatencyFrames
    try run(device, blocks: 20) { number, output in
      for i in output.indices { output[i] = Float(values[number * block + i]) / 32_768 }
    }
    device.close()
    let isExact = read(path, as: Int16.self) == [Int16](repeating: 0, count: depth) + values
    #expect(isExact)
  }

  @Test("record the contents of a file, sample by sample")
  func fileIn() throws {
    let path = "\(folder.path)/in.raw"
    let values = (0..<20 * 256).map { Float($0) / 5120 }
    write(values, to: path)
    ALSADefinitions.add(
      """
      pcm.momu_tape { type file slave.pcm { type null } file "/dev/null" infile "\(path)" format raw }
      """)
    let device = try open(nil, "momu_tape", wanted(inputs: 1, outputs: 0))
    defer { device.close() }
    var heard: [Float] = []
    try run(device, blocks: 20, heard: { heard += $0 })
    let isExact = heard == values
    #expect(isExact)
  }

  @Test("write exactly the played floats to a file, after the first silence")
  func fileOut() throws {
    let path = "\(folder.path)/out.raw"
    let device = try open("file:'\(path)',raw", nil, wanted(block: 100))
    let depth = device.outputLatencyFrames
    try run(device, blocks: 20) { number, output in
      for i in output.indices { output[i] = Float(number * 200 + i) / 4000 - 0.5 }
    }
    device.close()
    let samples = read(path, as: Float.self)
    #expect(depth == 300, "three blocks, as through a sound server")
    let isSilent = samples.prefix(2 * depth).allSatisfy { $0 == 0 }
    #expect(isSilent)
    let isExact = samples.dropFirst(2 * depth).elementsEqual((0..<4000).map { Float($0) / 4000 - 0.5 })
    #expect(isExact)
  }

  @Test("time out on a device that hangs, fail immediately after that, and finally release it")
  func neverOpens() throws {
    // A pipe without a writer blocks its reader, as does a sound server that has lost its manager.
    let path = "\(folder.path)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    ALSADefinitions.add(
      #"pcm.momu_stuck { type file slave.pcm { type null } file "/dev/null" infile "\#(path)" format raw }"#)
    for _ in 0..<2 {
      #expect(throws: AudioError.noAnswer(name: "momu_stuck")) {
        try ALSAOpening.open(
          "momu_stuck", playback: nil, capture: "momu_stuck", wanted: wanted(inputs: 2, outputs: 0),
          timeout: .milliseconds(1))
      }
    }
    expectRelease(path)
  }

  @Test("play without input if only the opening of the input hangs")
  func deaf() throws {
    let path = "\(folder.path)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    ALSADefinitions.add(
      """
      pcm.momu_deaf_input { type file slave.pcm { type null } file "/dev/null" infile "\(path)" format raw }
      pcm.momu_deaf { type asym playback.pcm { type null } capture.pcm "momu_deaf_input" }
      """)
    #expect(throws: AudioError.noAnswer(name: "momu_deaf")) {
      try ALSAOpening.open(
        "momu_deaf", playback: "momu_deaf", capture: "momu_deaf", wanted: wanted(inputs: 2),
        timeout: .milliseconds(1))
    }
    let device = try ALSAOpening.open(
      "momu_deaf", playback: "momu_deaf", capture: nil, wanted: wanted(inputs: 2))
    device.close()
    expectRelease(path)
  }

  @Test("play without input if the card has only an output, and say so")
  func playsOnly() throws {
    ALSADefinitions.add("pcm.momu_mute { type asym playback.pcm { type null } }")
    let format = wanted(inputs: 1)
    var warnings: [String] = []
    let device = try ALSAOpening.open(
      "momu_mute", wanted: DeviceRequest(format: format), warn: { warnings.append($0) },
      with: { playback, capture throws(AudioError) in
        try ALSAOpening.open("momu_mute", playback: playback, capture: capture, wanted: format)
      })
    device.close()
    #expect(
      warnings == [
        "no input from momu_mute, so the input is silent until the next start: it has no input: plug in a microphone, "
          + "or choose another input (--audio momu_mute+hw:OTHER)"
      ])
  }

  /// Lets the thread that waits for a writer of a pipe open its device, and expects that it closes the device.
  private func expectRelease(_ path: String) {
    // The thread opens the device after the timeout and closes it: then the pipe has no reader.
    let writer = Glibc.open(path, O_WRONLY)
    defer { Glibc.close(writer) }
    var request = pollfd(fd: writer, events: 0, revents: 0)
    #expect(poll(&request, 1, -1) == 1)
    #expect(Int32(request.revents) & POLLERR != 0)
  }

  private func read<Value: BitwiseCopyable>(_ path: String, as type: Value.Type) -> [Value] {
    let file = Glibc.open(path, O_RDONLY)
    defer { Glibc.close(file) }
    return [Value](unsafeUninitializedCapacity: 100_000) { buffer, count in
      count =
        max(0, Glibc.read(file, buffer.baseAddress, buffer.count * MemoryLayout<Value>.stride))
        / MemoryLayout<Value>.stride
    }
  }

  private func write(_ values: [Float], to path: String) {
    let file = Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
    defer { Glibc.close(file) }
    _ = values.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
  }
}
