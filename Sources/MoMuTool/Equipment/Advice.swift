// The reason why a device cannot be used, and what to type; nil if it can be used.

extension SoundCard {
  /// Returns the value of `--audio` that names exactly this device, such as `hw:CARD=PCH,DEV=0`.
  func name(of device: PCMDevice) -> String { "hw:CARD=\(id),DEV=\(device.number)" }
}

extension PCMDevice {
  func advice(_ card: SoundCard, for person: UserAccount) -> String? {
    guard let rights else {
      return
        "its file /dev/snd/pcmC\(card.index)D\(number)\(plays ? "p" : "c") is missing: in a container, add "
        + "--device /dev/snd"
    }
    guard !rights.mayUse else { return nil }
    return "you may not use it: " + person.opening("/dev/snd/*", rights)
  }
}

extension InputDevice {
  func advice(for person: UserAccount) -> String? {
    guard let rights else { return "its file \(path) is missing: in a container, add --device \(path)" }
    guard !rights.mayRead else {
      return rumbles && !rights.mayWrite ? "it cannot rumble: " + person.opening(path, rights) : nil
    }
    return "you may not read it: " + person.opening(path, rights)
  }
}

extension SensorChip {
  var advice: String? {
    guard mayBuffer == false || mayBuffer == true && rights?.mayRead != true,
      uses.contains(where: { $0 != "sensor" })
    else { return nil }
    return "MoMu must poll it; for the kernel's own time stamps: momu doctor --udev-rule"
  }
}

extension SerialPort {
  func advice(for person: UserAccount) -> String? {
    guard let rights, !rights.mayUse else { return nil }
    return "you may not use it: " + person.opening(path, rights)
  }
}
