/// Why sound could not be started or written; its text says what happened and what to type.
public enum AudioError: Error, CustomStringConvertible, Equatable {
  /// `MoAudio.start` while it runs.
  case alreadyRunning
  /// An argument of `MoAudio.start` out of its range.
  case outOfRange(what: String, value: String, wants: String)
  /// `--audio` names nothing that can be opened.
  case unknownDevice(name: String, reason: String)
  /// A device that only works in real time, with `--offline`.
  case notOffline(name: String)
  /// A file cannot be written.
  case cannotWrite(path: String, reason: String)
  /// The audio thread could not be made.
  case noThread(reason: String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .alreadyRunning:
      "MoAudio is already running: call MoAudio.stop() before you start it again"
    case .outOfRange(let what, let value, let wants):
      "MoAudio cannot start with \(what) \(value): give \(wants)"
    case .unknownDevice(let name, let reason):
      "cannot use \"\(name)\" for --audio: \(reason)"
    case .notOffline(let name):
      "--offline cannot play through \"\(name)\": use --audio wav:out.wav to write a file, or --audio virtual for none"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason)"
    case .noThread(let reason):
      "no audio thread: \(reason)"
    }
  }
}
