import MoAudioEngine
import MoCore

/// A sound card or sound server through ALSA: a PCM for playback, a PCM for capture, or both PCMs as a single device.
///
/// - Thread: created and closed on an ordinary thread; started and used by the audio thread.
package final class ALSADevice: AudioDevice, @unchecked Sendable {
  // Unchecked: one thread at a time, as `AudioDevice` requires; a separate thread may open and close it.
  package let name: String
  private let cycle: PCMCycle<ALSAStream>

  /// Opens the device, and does not start it yet.
  ///
  /// - Parameters:
  ///   - name: the name of the device, as `--audio` gives it, such as `hw:1`.
  ///   - playback: the PCM to play on; nil for none.
  ///   - capture: the PCM to record from; nil for silence.
  ///   - wanted: the format; the device may choose another block length.
  ///   - rateIsFixed: whether the rate must be exact; otherwise the device's nearest rate is used.
  /// - Throws: `AudioError`.
  package init(
    name: String, playback: String?, capture: String?, wanted: AudioFormat, rateIsFixed: Bool = true
  ) throws(AudioError) {
    self.name = name
    var request = PCMRequest(
      isCapture: false, rate: wanted.sampleRate, channels: wanted.outputs, blockFrames: wanted.blockFrames,
      isRateFixed: rateIsFixed)
    let output = try playback.map { name throws(AudioError) in try ALSAStream(name: name, wanted: request) }
    var format = wanted
    format.blockFrames = min(
      output?.agreed.periodFrames ?? wanted.blockFrames, BlockRenderer.capacityFrames)
    if let output {
      format.sampleRate = Double(output.agreed.rate)
      // Both directions have the same rate.
      request.rate = format.sampleRate
      request.isRateFixed = true
    }
    request.isCapture = true
    request.channels = wanted.inputs
    request.blockFrames = format.blockFrames
    request.runsFree = playback != nil
    let input = try capture.map { name throws(AudioError) in try ALSAStream(name: name, wanted: request) }
    if let input, output == nil {
      format.blockFrames = min(input.agreed.periodFrames, BlockRenderer.capacityFrames)
      format.sampleRate = Double(input.agreed.rate)
    }
    let inStep = output?.card != nil && output?.card == input?.card
    let linked = if inStep, let output, let input { output.link(with: input) } else { false }
    cycle = PCMCycle(
      format: format, playback: output, capture: input, inStep: inStep, linked: linked,
      depth: output?.agreed.depth ?? 0)
  }

  package var format: AudioFormat { cycle.format }
  package var outputLatencyFrames: Int { cycle.outputLatencyFrames }
  package var inputTime: HostTime? { cycle.inputTime }
  package var inputClock: InputClockReport? { cycle.inputClock }
  package var queuedFrames: Int { cycle.playback == nil ? 0 : cycle.depth }
  package var queueGrowths: Int { cycle.growths }
  /// The counts of recoveries, lost frames and faulty samples.
  package var counts: PCMCycle<ALSAStream>.Counts { cycle.counts }

  package func start() throws {
    let result = cycle.start()
    if result < 0 { throw ALSAError.error(result, name) }
  }

  package func wait() -> AudioDeviceState { cycle.wait() }
  package func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool { cycle.read(block) }
  package func write(_ block: UnsafeBufferPointer<Float>) -> Bool { cycle.write(block) }
  package func stop() { cycle.stop() }

  package func close() {
    let cycle = cycle
    // A sound server that hangs may block the thread that closes it, so a separate thread does that.
    if cycle.isLost, (try? MoThread(name: "mo-close", { [self] _ in self.letGo() })) != nil { return }
    letGo()
  }

  private func letGo() {
    cycle.playback?.close()
    cycle.capture?.close()
  }
}
