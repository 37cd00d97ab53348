/// The layout of a sound file without a header, such as the `.raw` files of the Synthesis ToolKit.
///
/// ```swift
/// let sound = try SoundBuffer("sinewave.raw", as: .stk)
/// ```
public struct RawSound: Sendable, Equatable {
  /// The number format of a sample.
  public typealias Coding = SoundCoding

  /// The number format of a sample.
  public var coding: Coding
  /// The number of channels (samples per frame), 1 … 64.
  public var channels: Int
  /// The sample rate, 1 … 1,000,000 frames per second.
  public var sampleRate: Double
  /// Whether the most significant byte of a sample comes first.
  public var isBigEndian: Bool
  /// The number of bytes before the first frame.
  public var offset: Int

  /// The layout of raw files of the Synthesis ToolKit and the original MoMu: mono, 16 bits, big-endian, 22,050 Hz.
  public static let stk = RawSound(.int16, sampleRate: 22_050, isBigEndian: true)

  /// Creates a layout; its values are checked when a file is opened with it.
  public init(
    _ coding: Coding, channels: Int = 1, sampleRate: Double, isBigEndian: Bool = false, offset: Int = 0
  ) {
    (self.coding, self.channels, self.sampleRate) = (coding, channels, sampleRate)
    (self.isBigEndian, self.offset) = (isBigEndian, offset)
  }

  /// Opens a file; bytes after the last whole frame are ignored.
  ///
  /// - Throws: `AudioFileError` if the layout is invalid, or the file cannot be opened.
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
