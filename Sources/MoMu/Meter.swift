import Glibc
import MoProgram
import MoSound
import MoTime

/// The line that moves while a program plays without anybody hearing it: level, hits, load.
struct Meter {
  private var shown: Float = 0
  private var hitsSeen = 0
  private var flash = 0

  /// Times a second that it is drawn.
  static let rate = 20.0
  private static let width = 30
  /// The lowest level that shows, in dB below full scale.
  private static let floor: Float = -48

  /// The next picture.
  ///
  /// - Parameters:
  ///   - peak: the highest sample since the last picture, 0 … 1.
  ///   - hits: strikes so far.
  ///   - force: the last strike's force, 0 … 1.
  ///   - status: the sound's figures.
  ///   - columns: how wide the terminal is.
  mutating func picture(
    peak: Float, hits: Int, force: Float, status: AudioStatus, columns: Int
  ) -> String {
    // Falls 1.5 dB a picture, 30 dB a second, as studio meters do.
    shown = max(peak, shown * 0.8414)
    if hits != hitsSeen { flash = 4 }
    hitsSeen = hits
    flash = max(0, flash - 1)
    let level = 20 * log10f(max(shown, 1e-6))
    let filled = Int((1 - level / Meter.floor) * Float(Meter.width))
    let bar = (0..<Meter.width).map { $0 < filled ? "█" : "·" }.joined()
    let hit = flash > 0 ? "● hit \(hits)" : "○ hit \(hits)"
    let force = flash > 0 ? " force \(Int(force * 100)) %" : ""
    let decibels = level < Meter.floor ? "silent" : "\(Int(level)) dB"
    let load = "load \(Int(status.load * 100)) %  xruns \(status.xruns)"
    let line = "[\(bar)] \(decibels.padded(to: 7)) \((hit + force).padded(to: 22)) \(load)"
    return String(line.prefix(max(10, columns - 1)))
  }
}
