/// How the samples of a file without a header are written, such as the `.raw` files of the Synthesis ToolKit.
///
/// ```swift
/// let sound = try SoundBuffer("sinewave.raw", as: .stk)
/// ```
public struct RawSound: Sendable, Equatable {
  /// How a sample is written.
  public typealias Coding = SoundCoding

  /// How a sample is written.
  public var coding: Coding
  /// Samples in a frame, 1 … 64.
  public var channels: Int
  /// Frames a second, 1 … 1,000,000.
  public var sampleRate: Double
  /// Whether the most significant byte comes first.
  public var isBigEndian: Bool
  /// Bytes before the first frame.
  public var offset: Int

  /// What the Synthesis ToolKit and the original MoMu take such a file for: mono, 16 bits, big-endian, 22,050 Hz.
  public static let stk = RawSound(.int16, sampleRate: 22_050, isBigEndian: true)

  /// Takes the numbers as they are; opening a file checks them.
  public init(
    _ coding: Coding, channels: Int = 1, sampleRate: Double, isBigEndian: Bool = false, offset: Int = 0
  ) {
    (self.coding, self.channels, self.sampleRate) = (coding, channels, sampleRate)
    (self.isBigEndian, self.offset) = (isBigEndian, offset)
  }

  /// Opens a file; bytes after the last whole frame are left out.
  ///
  /// - Throws: `AudioFileError` where the numbers make no sense, or nothing can be opened.
  func open(_ path: String) throws(AudioFileError) -> any SoundSource {
    let file = try FileBytes(path: path)
    guard channels >= 1, channels <= 64, sampleRate >= 1, sampleRate <= 1_000_000, offset >= 0 else {
      throw .badRaw(path: path)
    }
    let layout = WavLayout(
      channels: channels, sampleRate: Int(sampleRate), coding: coding, offset: offset,
      frames: max(0, file.length - offset) / (channels * coding.bytes), isBigEndian: isBigEndian)
    return WavReader(file, layout)
  }
}
