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
