import MoAudioEngine

/// Opens ALSA devices with a timeout.
package enum ALSAOpening {
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
