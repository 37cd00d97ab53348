import Glibc
import MoTime
import Testing

@testable import MoMu

/// Devices through alsa-lib itself, with its own plugins for cards: `file` writes what it plays.
///
/// The PCMs are made by arguments in the name, so that no configuration of the machine is touched.
@Suite("ALSA's devices")
struct ALSADeviceTests {
  private let folder = TemporaryFolder()

  private func wanted(
    rate: Double = 48_000, block: Int = 256, inputs: Int = 0, outputs: Int = 2
  ) -> AudioFormat {
    AudioFormat(sampleRate: rate, blockFrames: block, inputs: inputs, outputs: outputs)
  }

  private func open(_ playback: String?, _ capture: String? = nil, _ wanted: AudioFormat) throws -> ALSADevice
  {
    try ALSADevice(name: playback ?? capture ?? "", playback: playback, capture: capture, wanted: wanted)
  }

  /// Runs whole cycles: each gives a block of input and takes one of output.
  private func run(
    _ device: ALSADevice, blocks: Int, _ play: (Int, UnsafeMutableBufferPointer<Float>) -> Void = { _, _ in },
    _ heard: (UnsafeBufferPointer<Float>) -> Void = { _ in }
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

  @Test("plays through `null` at what was asked for, in floats")
  func null() throws {
    let device = try open("null", nil, wanted(block: 128))
    defer { device.close() }
    #expect(device.format == wanted(block: 128))
    try run(device, blocks: 100) { _, output in output.update(repeating: .nan) }
    #expect(device.counts.recoveries == 0)
    #expect(device.counts.faults == SampleConversion.Faults(notNumbers: 100 * 128 * 2, clipped: 0))
  }

  @Test("starts again after a stop, as often as one likes")
  func restarts() throws {
    let device = try open("null", "null", wanted(inputs: 2))
    defer { device.close() }
    for _ in 0..<20 { try run(device, blocks: 3) }
  }
}

/// A folder that goes with the test.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/momu-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit {
    if let listing = opendir(path) {
      while let entry = readdir(listing) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        unlink("\(path)/\(name)")
      }
      closedir(listing)
    }
    rmdir(path)
  }
}
