import MoAudioEngine

/// Opens ALSA devices with a timeout.
package enum ALSAOpening {
  /// Opens the card or the two cards of a device's name; if a single card plays but cannot record, the input is silent.
  ///
  /// - Parameters:
  ///   - name: the name, such as `hw:0`, or `hw:0+hw:1` to play on the first card and record from the second.
  ///   - warn: receives the reason why the input is silent.
  ///   - open: opens two PCMs, for playback and for capture; nil for no PCM.
  /// - Throws: `AudioError`.
  package static func open<Device>(
    _ name: String, wanted request: DeviceRequest, warn: (String) -> Void,
    with open: (_ playback: String?, _ capture: String?) throws(AudioError) -> Device
  ) throws(AudioError) -> Device {
    let parts = name.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
    let playback = request.format.outputs > 0 ? parts.first ?? name : nil
    let capture = request.format.inputs > 0 ? parts.last ?? name : nil
    do throws(AudioError) {
      return try open(playback, capture)
    } catch {
      guard parts.count == 1, playback != nil, capture != nil, !(request.needsInput && error.canPass),
        let device = try? open(playback, nil)
      else { throw error }
      warn("no input from \(name), so the input is silent until the next start: \(inputProblem(error, name))")
      return device
    }
  }

  /// Returns the reason why a card that plays does not record, for the error of its opening with input.
  private static func inputProblem(_ error: AudioError, _ name: String) -> String {
    // The card is there, since its output could be opened.
    guard case .noDevice = error else { return error.description }
    return "it has no input: plug in a microphone, or choose another input (--audio \(name)+hw:OTHER)"
  }

  /// Opens a device on a separate thread.
  ///
  /// - Parameters:
  ///   - rateIsFixed: whether to fail if the device cannot run at the wanted rate; otherwise the device's nearest rate
  ///     is used.
  ///   - timeout: how long to wait; finding the settings of a USB card takes tenths of a second.
  /// - Throws: `AudioError`; the error is `.noAnswer` after the timeout, or if an earlier opening of the same PCMs
  ///   still blocks.
  package static func open(
    _ name: String, playback: String?, capture: String?, wanted: AudioFormat,
    rateIsFixed: Bool = true, timeout: Duration = .seconds(5)
  ) throws(AudioError) -> ALSADevice {
    // The key has both PCMs: if the input blocks, the output alone may still open.
    try DeviceOpening.run(
      name, key: "\(playback ?? "-")/\(capture ?? "-")", timeout: timeout, discard: { $0.close() },
      with: { () throws(AudioError) in
        try ALSADevice(
          name: name, playback: playback, capture: capture, wanted: wanted, rateIsFixed: rateIsFixed)
      })
  }
}

extension AudioError {
  /// Whether the obstacle can disappear while the device stays connected: another program closes the device, or the
  /// system sets the rights of a new device.
  fileprivate var canPass: Bool {
    switch self {
    case .busy, .noAccess: true
    default: false
    }
  }
}
