/// An error at the start of the sound or in writing a sound file; its text says what happened and what to type.
public enum AudioError: Error, CustomStringConvertible, Equatable {
  /// `MoAudio.start` was called while sound was running.
  case alreadyRunning
  /// The argument `what` of `MoAudio.start` is out of range; `wants` is the allowed range.
  case outOfRange(what: String, value: String, wants: String)
  /// The text of `--audio`, or of `device` in `MoAudio.start`, cannot be the name of a device.
  case unknownDevice(name: String, reason: String)
  /// There is no device called `name`, or ALSA cannot open it; `others` are the names of the devices of all cards.
  case noDevice(name: String, others: [String])
  /// Another program uses the device; `holder` is the name of that program, or nil if the system does not report it.
  case busy(name: String, holder: String?)
  /// The user has no permission to open the device.
  case noAccess(name: String)
  /// The device's sound server is not running.
  case noSoundServer(name: String)
  /// `--audio jack` needs libjack, which is missing.
  case noJACKLibrary(name: String)
  /// `--audio jack` needs a JACK server, and none is running.
  case noJACKServer(name: String)
  /// The JACK server runs at the sample rate `rate`, not at the rate `wanted`; both are in Hz.
  case serverRate(name: String, rate: Int, wanted: Int)
  /// The device does not support the wanted sample rate `rate`; it supports `lowest` to `highest`, all in Hz.
  case impossibleRate(name: String, isCapture: Bool, rate: Int, lowest: Int, highest: Int)
  /// The device has fewer channels than the wanted number `channels`: at most `highest`.
  case impossibleChannels(name: String, isCapture: Bool, channels: Int, highest: Int)
  /// The device's sound server did not answer before the timeout.
  case noAnswer(name: String)
  /// The device failed for a `reason` that no other case describes.
  case device(name: String, reason: String)
  /// The device works only in real time, not with `--offline`.
  case notOffline(name: String)
  /// The file cannot be written.
  case cannotWrite(path: String, reason: String)
  /// The audio thread cannot be started.
  case noThread(reason: String)

  /// The error message: what happened and what to do.
  public var description: String {
    switch self {
    case .alreadyRunning:
      "MoAudio is already running: call MoAudio.stop() before you start it again"
    case .outOfRange(let what, let value, let wants):
      "MoAudio cannot start with \(what) \(value): must be \(wants)"
    case .unknownDevice(let name, let reason):
      "cannot use \"\(name)\" for --audio: \(reason)"
    case .noDevice(let name, _) where name.hasSuffix(".wav"):
      "no device \(name): to write a file, type --audio wav:\(name.split(separator: ":").last ?? "out.wav")"
    case .noDevice(let name, let others) where others.isEmpty:
      "no device \(name): there is no sound card; use --audio virtual for silence, or --audio wav:out.wav"
    case .noDevice(let name, let others):
      "no device \(name): use one of \(others.filter { $0 != name }.joined(separator: ", ")) "
        + "(--list-devices shows details)"
    case .busy("default", let holder):
      "default is in use by \(holder ?? "another program"): close it, or choose another device (--list-devices)"
    case .busy(let name, let holder):
      "\(name) is in use by \(holder ?? "another program"): close it, or use --audio default, which allows sharing"
    case .noAccess(let name):
      "no access to \(name): add yourself to the group 'audio': sudo usermod -aG audio $USER, then log in again"
    case .noSoundServer(let name):
      "the sound server of \(name) is not running: start it (systemctl --user start pipewire-pulse), "
        + "or choose a card, such as --audio plughw:0"
    case .noJACKLibrary(let name):
      "\(name) needs libjack, which is not installed: with PipeWire, sudo apt install pipewire-jack; with jackd, "
        + "sudo apt install libjack-jackd2-0"
    case .noJACKServer(let name):
      "\(name) finds no JACK server: start one (jackd -d alsa, or systemctl --user start pipewire with pipewire-jack "
        + "installed), or use --audio default"
    case .serverRate(let name, let rate, let wanted):
      "\(name): the server runs at \(rate) Hz, not at \(wanted): use --rate \(rate), or start the server at \(wanted) Hz"
    case .impossibleRate(let name, let isCapture, let rate, let lowest, let highest):
      "\(name) cannot \(isCapture ? "record" : "play") at \(rate) Hz: choose "
        + (lowest == highest ? "\(lowest) Hz" : "\(lowest) to \(highest) Hz")
        + (name.hasPrefix("hw:") ? ", or use plug\(name), which converts" : "")
    case .impossibleChannels(let name, let isCapture, let channels, let highest):
      "\(name) cannot \(isCapture ? "record" : "play") \(channels) channels: choose \(highest) at most"
        + (name.hasPrefix("hw:") ? ", or use plug\(name), which converts" : "")
    case .noAnswer(let name):
      "the sound server of \(name) does not answer: restart it "
        + "(systemctl --user restart pipewire wireplumber), or choose a card, such as --audio plughw:0"
    case .device(let name, let reason):
      "\(name) failed: \(reason)"
    case .notOffline(let name):
      "--offline cannot play through \"\(name)\": use --audio wav:out.wav to write a file, or --audio virtual for none"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason)"
    case .noThread(let reason):
      "cannot start the audio thread: \(reason)"
    }
  }
}

/// An error in reading a sound file; its text says what happened and what to type.
public enum AudioFileError: Error, CustomStringConvertible, Equatable {
  /// The file cannot be opened.
  case cannotOpen(path: String, reason: String)
  /// The file is not a sound file.
  case notSound(path: String, reason: String)
  /// The file is inconsistent or truncated.
  case damaged(path: String, reason: String)
  /// The file's format is not supported.
  case unsupported(path: String, what: String)
  /// The file's format needs libsndfile, which is not installed.
  case needsLibrary(path: String, kind: String)
  /// The file needs `megabytes` MB of memory; a sound in memory may have at most 1024 MB.
  case tooLarge(path: String, megabytes: Int)
  /// The `RawSound` settings for a file without a header are out of range.
  case badRaw(path: String)
  /// The `mo-disk` thread, which reads the file during play, cannot be started.
  case noThread(path: String, reason: String)

  /// The error message: what happened and what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
    case .notSound(let path, let reason): "\(path) is not a sound file: \(reason)"
    case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
    case .unsupported(let path, let what):
      "cannot read \(path): it has \(what); convert it: sox \(path) -b 24 converted.wav"
    case .needsLibrary(let path, let kind):
      "cannot read \(path): \(kind) needs libsndfile: install it with sudo apt install libsndfile1"
    case .tooLarge(let path, let megabytes):
      "\(path) needs \(megabytes) MB of memory: play it from the disk, MoAudioFileIn(\"\(path)\", streamed: true)"
    case .badRaw(let path):
      "cannot read \(path) as raw sound: give 1 to 64 channels, 1 to 1,000,000 frames per second and an offset from 0"
    case .noThread(let path, let reason): "cannot play \(path) from the disk: \(reason)"
    }
  }
}
