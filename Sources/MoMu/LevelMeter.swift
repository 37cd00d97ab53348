import Glibc
import MoAudioDevices
import MoCore
import MoRuntime

/// The line that moves while a program plays without anybody hearing it: level, hits, load.
struct LevelMeter {
  private var shown: Float = 0
  private var hitsSeen = 0
  private var flash = 0

  /// Times a second that it is drawn.
  static let rate = 20.0
  private static let width = 30
  private static let narrowest = 8
  /// The lowest level that shows, in dB below full scale.
  private static let floor: Float = -48

  /// The next picture: one row, whose figures count from the left if the terminal is narrow.
  ///
  /// - Parameters:
  ///   - peak: the highest sample since the last picture, 0 … 1.
  ///   - hits: strikes so far.
  ///   - force: the last strike's force, 0 … 1.
  ///   - status: the sound's figures.
  ///   - columns: how wide the row may be.
  mutating func picture(
    peak: Float, hits: Int, force: Float, status: AudioStatus, columns: Int
  ) -> ScreenBlock {
    // Falls 1.5 dB a picture, 30 dB a second, as studio meters do.
    shown = max(peak, shown * 0.8414)
    if hits != hitsSeen { flash = 4 }
    hitsSeen = hits
    flash = max(0, flash - 1)
    let level = 20 * log10f(max(shown, 1e-6))
    let decibels = level < LevelMeter.floor ? "silent" : "\(Int(level)) dB"
    let underruns = ScreenLine("underruns \(status.xruns)", status.xruns > 0 ? [.bold, .red] : [])
    let hit = ScreenLine(
      "\(flash > 0 ? "●" : "○") hit \(hits)\(flash > 0 ? " force \(Int(force * 100)) %" : "")")
    // Three figures, so that nothing moves when a figure grows.
    var figures = ScreenLine(decibels.padded(to: 6))
    let load = ScreenLine("load \(Int(status.load * 100)) %").padded(to: 9)
    for figure in [underruns.padded(to: 12), load, hit]
    where LevelMeter.narrowest + 3 + figures.width + 2 + figure.width <= columns {
      figures += ScreenLine("  ") + figure
    }
    // As if a stroke were shown, so that the bar keeps its width.
    let width = max(LevelMeter.narrowest, min(LevelMeter.width, columns - 3 - 57))
    let filled = Int((1 - level / LevelMeter.floor) * Float(width))
    let bar = (0..<width).map { $0 < filled ? "█" : "·" }.joined()
    return ScreenBlock([ScreenLine("[\(bar)] ") + figures], priority: ScreenBlock.Priority.level)
  }
}
