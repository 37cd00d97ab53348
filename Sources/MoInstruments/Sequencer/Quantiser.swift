import MoCore
import MoDSP

/// A quantiser of events: it moves them to the nearest line of a grid.
///
/// With a `strength` of 0, notes stay as played; with 1, they move onto the line; with 0.5, they move halfway to it.
/// `swing` delays every second line, as in `SwungSteps`.
///
/// In a recording, the quantiser moves notes earlier or later. Live, a note that is played before its line waits
/// for the line. A note that is played after its line sounds immediately, because a sound cannot be moved into
/// the past.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct Quantiser: Hashable, Sendable, BitwiseCopyable {
  /// The number of grid steps per beat, 0…64: 4 for sixteenths in 4/4; 0 for no grid.
  ///
  /// This value and the next two are clamped to their ranges; NaN counts as 0.
  public var stepsPerBeat: Double { didSet { stepsPerBeat = Self.clean(stepsPerBeat, 64) } }
  /// How far notes are moved towards their line, 0 (not at all) … 1 (onto the line).
  public var strength: Double { didSet { strength = Self.clean(strength, 1) } }
  /// The delay of the second grid step of each pair, 0 (no delay) … 1 (half a grid step); see `SwungSteps`.
  public var swing: Double { didSet { swing = Self.clean(swing, 1) } }

  /// Creates a quantiser; values out of range are clamped, NaN counts as 0.
  public init(stepsPerBeat: Double = 4, strength: Double = 1, swing: Double = 0) {
    self.stepsPerBeat = Self.clean(stepsPerBeat, 64)
    self.strength = Self.clean(strength, 1)
    self.swing = Self.clean(swing, 1)
  }

  /// Whether the quantiser leaves all notes as played.
  @inlinable
  public var isFree: Bool { stepsPerBeat <= 0 || strength <= 0 }

  /// Returns the beat to which an event is moved: the beat of the nearest line, if `strength` is 1.
  ///
  /// If an event is halfway between two lines, it is moved to the later line.
  ///
  /// - Parameters:
  ///   - played: the beat on which the event was played.
  ///   - line: the beat of a bar line, from which pairs of steps are counted.
  public func beat(for played: Double, from line: Double = 0) -> Double {
    guard !isFree, abs(played - line) < 1e9 else { return played }
    return played + strength * (nearestLine(to: played, from: line) - played)
  }

  /// Returns the beat at which an event was played, and the beat to which the quantiser moves the event.
  ///
  /// The result is nil if no rhythm runs, or if the quantiser leaves all notes as played (`isFree`).
  package func beats(ofPlayed time: HostTime, on clock: BeatClock) -> (played: Double, line: Double)? {
    guard !isFree, let timeline = clock.course, clock.isPlaying(at: time), let played = clock.beat(at: time)
    else {
      return nil
    }
    return (played, beat(for: played, from: timeline.segment(at: clock.sessionTime(at: time)).barBeat))
  }

  /// Returns the beat of the grid line nearest to a beat; `line` is the beat of a bar line, at which the grid begins.
  func nearestLine(to beat: Double, from line: Double) -> Double {
    let next = nextLine(from: beat, line)
    // The previous line is one step back, or up to one and a half steps with swing.
    let steps = ((next - line) * stepsPerBeat).rounded()
    var before = steps
    while place(before, line) > beat - 1e-9 { before -= 1 }
    let last = place(before, line)
    return beat - last < next - beat - 1e-9 ? last : next
  }

  /// Returns the beat of the first grid line at or after a beat; the grid begins at a bar line, whose beat is the
  /// second argument.
  func nextLine(from beat: Double, _ line: Double) -> Double {
    // Starting two steps before covers every swing.
    var index = ((beat - line) * stepsPerBeat).rounded(.down) - 1
    while place(index, line) < beat - 1e-9 { index += 1 }
    return place(index, line)
  }

  private func place(_ index: Double, _ line: Double) -> Double {
    line + SwungSteps.place(index, swing: swing) / stepsPerBeat
  }

  private static func clean(_ value: Double, _ most: Double) -> Double {
    value.isNaN ? 0 : max(0, min(value, most))
  }
}

extension Quantiser {
  /// Parses the text of a quantiser: the number of grid lines in a 4/4 bar, such as 16 for sixteenths, then the options
  /// `swing` and `strength`.
  ///
  /// Examples are `16`, `8,swing=0.6` and `16,strength=0.5`.
  ///
  /// - Throws: `InstrumentError.noGrid`, with the word that cannot be parsed.
  public init(_ text: String) throws(InstrumentError) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let part = words.first.flatMap({ UInt8($0) }), Self.parts.contains(part) else {
      throw .noGrid(text: text, word: words.first.map { String($0) } ?? "")
    }
    self.init(stepsPerBeat: Double(part) / 4)
    for word in words.dropFirst() {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = Double(pair[1]), (0...1).contains(value) else {
        throw .noGrid(text: text, word: String(word))
      }
      switch pair[0] {
      case "swing": swing = value
      case "strength": strength = value
      default: throw .noGrid(text: text, word: String(word))
      }
    }
  }

  /// The valid numbers of grid lines in a 4/4 bar; 3, 6, 12 and 24 are triplets.
  private static let parts: Set<UInt8> = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
}
