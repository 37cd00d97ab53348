import Glibc

/// Takes a card from its driver and gives it back, like pulling a plug.
struct KernelDriver {
  static let loopback = KernelDriver(driver: "snd_aloop", device: "snd_aloop.0", card: "Loopback")
  static let dummy = KernelDriver(driver: "snd_dummy", device: "snd_dummy.0", card: "Dummy")
  static let virtualMIDI = KernelDriver(driver: "snd_virmidi", device: "snd_virmidi.0", card: "VirMIDI")

  let driver: String
  let device: String
  let card: String

  /// Whether ALSA knows the card.
  var isPresent: Bool { access("/proc/asound/\(card)", F_OK) == 0 }

  /// Pulls the plug.
  ///
  /// The kernel blocks this call until every program has closed the card, so it runs on a separate thread. `wait` on
  /// the returned value ends then.
  func unplug() -> Background { Background { try write("unbind") } }

  /// Puts the plug back; returns when the card exists again.
  func plug() throws { try write("bind") }

  private func write(_ file: String) throws {
    let path = "/sys/bus/platform/drivers/\(driver)/\(file)"
    let descriptor = open(path, O_WRONLY)
    guard descriptor >= 0 else { throw Failure(call: "open \(path)") }
    defer { close(descriptor) }
    if Glibc.write(descriptor, device, device.utf8.count) < 0 { throw Failure(call: "write \(path)") }
  }
}
