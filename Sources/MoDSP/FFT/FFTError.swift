/// An error in the set-up of a transform: a wrong size, or a wrong hop.
public enum FFTError: Error, Equatable, CustomStringConvertible {
  /// The size is not a power of two from 4 to 65,536.
  case size(Int)
  /// The hop, in samples, is outside 1 … size / 2.
  ///
  /// With a longer hop, the transformed sections of `size` samples would overlap by less than half.
  case hop(Int, size: Int)

  /// The error text: the fault, and a value to use instead.
  public var description: String {
    switch self {
    case .size(let size):
      "the size of an FFT is \(size), but must be a power of two from 4 to 65536, such as \(nearest(size))"
    case .hop(let hop, let size):
      "frames of \(size) samples every \(hop) do not overlap by half: the hop must be 1 to \(size / 2), such as \(size / 4)"
    }
  }

  /// Returns the nearest valid size.
  private func nearest(_ size: Int) -> Int {
    var power = 4
    while power < 65536, size - power > 2 * power - size { power *= 2 }
    return power
  }
}
