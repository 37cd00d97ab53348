/// The reason that sound could not start or be written; its text says what happened and what to type.
public enum AudioError: Error, CustomStringConvertible, Equatable {
  /// `MoAudio.start` was called while it runs.
  case alreadyRunning
  /// An argument of `MoAudio.start` is out of its range.
  case outOfRange(what: String, value: String, wants: String)
  /// `--audio` has no name of a device that can be opened.
  case unknownDevice(name: String, reason: String)
  /// There is no device of that name.
  case noDevice(name: String, others: [String])
  /// Another program uses the device; its name, if the system reports it.
  case busy(name: String, holder: String?)
  /// The user has no permission to open the device.
  case noAccess(name: String)
  /// The device's sound server does not run.
  case noSoundServer(name: String)
  /// `--audio jack` without libjack.
  case noJACKLibrary(name: String)
  /// `--audio jack` without a server.
  case noJACKServer(name: String)
  /// The server runs at one rate for all programs, and not at the requested one.
  case serverRate(name: String, rate: Int, wanted: Int)
  /// The device does not support the requested rate.
  case impossibleRate(name: String, isCapture: Bool, rate: Int, lowest: Int, highest: Int)
  /// The device has too few channels.
  case impossibleChannels(name: String, isCapture: Bool, channels: Int, highest: Int)
  /// The device's sound server runs but never answered.
  case noAnswer(name: String)
  /// The device failed in some other way.
  case device(name: String, reason: String)
  /// A device that only works in real time was used with `--offline`.
  case notOffline(name: String)
  /// A file cannot be written.
  case cannotWrite(path: String, reason: String)
  /// The audio thread could not be created.
  case noThread(reason: String)

  /// The fault, and the remedy.
  public var description: String {
    switch self {
    case .alreadyRunning:
      "MoAudio is already running: call MoAudio.stop() before you start it again"
    case .outOfRange(let what, let value, let wants):
      "MoAudio cannot start with \(what) \(value): give \(wants)"
    case .unknownDevice(let name, let reason):
      "cannot use \"\(name)\" for --audio: \(reason)"
    case .noDevice(let name, let others) where others.isEmpty:
      "no device \(name): there is no sound card; use --audio virtual for silence, or --audio wav:out.wav"
    case .noDevice(let name, let others):
      "no device \(name): there are \(others.joined(separator: ", ")) (--list-devices tells more)"
    case .busy(let name, let holder):
      "\(name) is in use by \(holder ?? "another program"): close that, or use --audio default, which can be shared"
    case .noAccess(let name):
      "no access to \(name): add yourself to the group 'audio': sudo usermod -aG audio $USER, then log in again"
    case .noSoundServer(let name):
      "\(name) leads to a sound server that does not run: start it (systemctl --user start pipewire-pulse), "
        + "or name a card, such as --audio plughw:0"
    case .noJACKLibrary(let name):
      "\(name) needs libjack, which is not installed: sudo apt install pipewire-jack where PipeWire runs, "
        + "libjack-jackd2-0 where jackd does"
    case .noJACKServer(let name):
      "\(name) finds no JACK server: start one (jackd -d alsa, or systemctl --user start pipewire with pipewire-jack "
        + "installed), or use --audio default"
    case .serverRate(let name, let rate, let wanted):
      "\(name): the server runs at \(rate) Hz, not at \(wanted): use --rate \(rate), or start the server at \(wanted) Hz"
    case .impossibleRate(let name, let isCapture, let rate, let lowest, let highest):
      "\(name) cannot \(isCapture ? "record" : "play") at \(rate) Hz; it can do "
        + (lowest == highest ? "\(lowest) Hz" : "\(lowest) to \(highest) Hz")
        + ": choose that" + (name.hasPrefix("hw:") ? ", or plug\(name), which converts" : "")
    case .impossibleChannels(let name, let isCapture, let channels, let highest):
      "\(name) cannot \(isCapture ? "record" : "play") \(channels) channels; it has \(highest): ask for no more"
        + (name.hasPrefix("hw:") ? ", or use plug\(name), which converts" : "")
    case .noAnswer(let name):
      "\(name) leads to a sound server that does not answer: restart it "
        + "(systemctl --user restart pipewire wireplumber), or name a card, such as --audio plughw:0"
    case .device(let name, let reason):
      "\(name) failed: \(reason)"
    case .notOffline(let name):
      "--offline cannot play through \"\(name)\": use --audio wav:out.wav to write a file, or --audio virtual for none"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason)"
    case .noThread(let reason):
      "no audio thread: \(reason)"
    }
  }
}
