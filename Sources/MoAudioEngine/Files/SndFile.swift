import Glibc

/// A sound file in a format that MoMu cannot read itself, such as FLAC, read by libsndfile if it is installed.
///
/// - Source: <https://libsndfile.github.io/libsndfile/api.html>.
final class SndFile: SoundSource {
  let path: String
  let channels: Int
  let sampleRate: Double
  let frames: Int
  private let library: SndLibrary
  private let handle: OpaquePointer
  private var place = 0

  /// Opens a file with libsndfile.
  ///
  /// - Parameter kind: the format of the file for error texts, such as `FLAC`; nil if unknown.
  init(path: String, kind: String?, library: SndLibrary?) throws(AudioFileError) {
    guard let library else {
      guard let kind else {
        throw .notSound(
          path: path,
          reason: "it is not a WAV file; to read other kinds, sudo apt install libsndfile1")
      }
      throw .needsLibrary(path: path, kind: kind)
    }
    var info = SndLibrary.Info()
    guard let handle = library.open(path, 0x10, &info) else {
      let reason = String(cString: library.reason(nil))
      guard let kind else {
        throw .notSound(path: path, reason: "libsndfile does not know this kind of file")
      }
      throw .damaged(path: path, reason: "libsndfile cannot read this \(kind): \(reason)")
    }
    guard info.channels >= 1, info.channels <= 64, info.sampleRate >= 1, info.sampleRate <= 1_000_000,
      info.frames >= 0, info.frames < 1 << 48, info.isSeekable != 0
    else {
      _ = library.close(handle)
      throw .damaged(path: path, reason: "its header is not valid")
    }
    self.path = path
    self.library = library
    self.handle = handle
    (channels, sampleRate, frames) = (Int(info.channels), Double(info.sampleRate), Int(info.frames))
  }

  deinit { _ = library.close(handle) }

  func read(at frame: Int, count: Int, into target: UnsafeMutablePointer<Float>) -> Int {
    let wanted = min(count, frames - frame)
    guard wanted > 0 else { return 0 }
    if frame != place {
      guard library.seek(handle, Int64(frame), SEEK_SET) == frame else { return 0 }
    }
    let got = max(0, Int(library.read(handle, target, Int64(wanted))))
    for index in 0..<got * channels where !target[index].isFinite { target[index] = 0 }
    place = frame + got
    return got
  }
}

/// The functions of libsndfile that MoMu uses.
package struct SndLibrary: Sendable {
  /// The layout of libsndfile's `SF_INFO`: the length and the format of a file.
  struct Info {
    var frames: Int64 = 0
    var sampleRate: Int32 = 0
    var channels: Int32 = 0
    var format: Int32 = 0
    var sections: Int32 = 0
    var isSeekable: Int32 = 0
  }

  let open: @convention(c) (UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer) -> OpaquePointer?
  let read: @convention(c) (OpaquePointer, UnsafeMutablePointer<Float>, Int64) -> Int64
  let seek: @convention(c) (OpaquePointer, Int64, Int32) -> Int64
  let close: @convention(c) (OpaquePointer) -> Int32
  let reason: @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>

  /// The installed libsndfile, which stays loaded; nil if it is not installed.
  static let loaded = SndLibrary(name: "libsndfile.so.1")

  init?(name: String) {
    guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL), let open = dlsym(library, "sf_open"),
      let read = dlsym(library, "sf_readf_float"), let seek = dlsym(library, "sf_seek"),
      let close = dlsym(library, "sf_close"), let reason = dlsym(library, "sf_strerror")
    else { return nil }
    self.open = unsafeBitCast(open, to: type(of: self.open))
    self.read = unsafeBitCast(read, to: type(of: self.read))
    self.seek = unsafeBitCast(seek, to: type(of: self.seek))
    self.close = unsafeBitCast(close, to: type(of: self.close))
    self.reason = unsafeBitCast(reason, to: type(of: self.reason))
  }
}
