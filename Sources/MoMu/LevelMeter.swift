import Glibc
import MoAudioDevices
import MoCore
import MoRuntime

/// The status line of a playing program: the level of the sound, underruns, the audio load and strikes.
package struct LevelMeter {
  private var shown: Float = 0
  private var strikesSeen = 0
  private var flash = 0

  /// The number of redraws per second.
  static let rate = 20.0
  private static let width = 30
  private static let narrowest = 8
  /// The lowest level that is shown, in dBFS; the meter shows a lower level as `silent`.
  package static let floor: Float = -48

  /// Returns the next drawing, in one row; if the terminal is narrow, the figures on the right are left out.
  ///
  /// - Parameters:
  ///   - peak: the highest absolute value of a sample since the last drawing, 0 … 1.
  ///   - strikes: the number of strikes so far.
  ///   - force: the force of the last strike, 0 … 1.
  ///   - status: the status of the sound.
  ///   - columns: the width of the terminal, in characters.
  mutating func picture(
    peak: Float, strikes: Int, force: Float, status: AudioStatus, columns: Int
  ) -> ScreenBlock {
    // The level falls by 1.5 dB per drawing, or 30 dB per second, as on studio meters.
    shown = max(peak, shown * 0.8414)
    if strikes != strikesSeen { flash = 4 }
    strikesSeen = strikes
    flash = max(0, flash - 1)
    let level = 20 * log10f(max(shown, 1e-6))
    let decibels = level < LevelMeter.floor ? "silent" : "\(Int(level)) dB"
    let underruns = ScreenLine("underruns \(status.xruns)", status.xruns > 0 ? [.bold, .red] : [])
    let strike = ScreenLine(
      "\(flash > 0 ? "●" : "○") hit \(strikes)\(flash > 0 ? " force \(Int(force * 100)) %" : "")")
    // Padded, so that nothing moves when a number grows.
    var figures = ScreenLine(decibels.padded(to: 6))
    let load = ScreenLine("load \(Int(status.load * 100)) %").padded(to: 9)
    for figure in [underruns.padded(to: 12), load, strike]
    where LevelMeter.narrowest + 3 + figures.width + 2 + figure.width <= columns {
      figures += ScreenLine("  ") + figure
    }
    // Space for a strike is always reserved, so that the bar keeps its width.
    let width = max(LevelMeter.narrowest, min(LevelMeter.width, columns - 3 - 57))
    let filled = Int((1 - level / LevelMeter.floor) * Float(width))
    let bar = (0..<width).map { $0 < filled ? "█" : "·" }.joined()
    return ScreenBlock([ScreenLine("[\(bar)] ") + figures], priority: ScreenBlock.Priority.level)
  }
}
