/// A collector of lateness values, 4 to 64 in a batch; each full batch gives the likely true lateness.
///
/// The lateness of a position is the time that the card's driver reported, minus its time on the line by which
/// `CardClock` maps frames to times.
///
/// Only the earlier half of the sorted values is used, so a third of the values may be far too late. The shape of the
/// values is the distance from median to earliest, divided by the distance from median to lower quartile. With 64
/// values, the shape is 3.6 for Gaussian noise; then the median is the true value. The shape is 2.0 for a uniform
/// spread (a position quantised to a period) and 1.7 for exponential delays; then the early edge is the true value.
/// (Expected order statistics: H. A. David, *Order Statistics*, 1981.)
struct CardClockBatch: Sendable {
  /// The result of a batch: the lateness and its standard deviation, in nanoseconds, at the batch's middle frame.
  struct Reading {
    var frame: Int64
    var lateness: Double
    var deviation: Double
  }

  private static let full = 64
  private var sorted = InlineArray<64, Float>(repeating: 0)
  private var count = 0
  private var target = 4
  private var firstFrame: Int64 = 0

  // Running means, since a batch that is weighed by its own spread would favour the late values. In nanoseconds: median
  // − earliest; median − lower quartile; and the mean step between the lowest few values. Few, because a card that
  // moves by periods repeats one lateness: there the steps are 0.
  private var toEarliest = 0.0
  private var toQuartile = 0.0
  private var step = 0.0
  private var batches = 0.0

  /// The part of the result's uncertainty, in nanoseconds, that remains because the true value can be the median or the
  /// early edge of the values.
  private(set) var undecided = 0.0

  /// Adds a position's lateness in nanoseconds; returns the result if this value completes the batch, otherwise nil.
  ///
  /// Batches grow from 4 to 64 values, so that the first results come soon.
  mutating func add(lateness: Double, frame: Int64) -> Reading? {
    if count == 0 { firstFrame = frame }
    insert(Float(lateness))
    guard count == target else { return nil }
    let reading = read(frame: firstFrame &+ (frame &- firstFrame) / 2)
    count = 0
    target = min(2 * target, Self.full)
    return reading
  }

  private mutating func insert(_ lateness: Float) {
    var place = count
    while place > 0, sorted[place - 1] > lateness {
      sorted[place] = sorted[place - 1]
      place -= 1
    }
    sorted[place] = lateness
    count += 1
  }

  private mutating func read(frame: Int64) -> Reading {
    learnShape()
    let median = Double(sorted[count / 2])
    let edge = Double(sorted[0]) - step
    let symmetry = symmetry
    // Standard error of a median of Gaussians is 1.25 σ/√n, and the quartile lies 0.674 σ below.
    let medianDeviation = 1.86 * toQuartile / Double(count).squareRoot()
    let doubt = (median - edge) / (1 + batches * batches)
    undecided = (median - edge) * max(symmetry * (1 - symmetry), 0.3, 0.5 / (1 + batches))
    let deviation = symmetry * medianDeviation + (1 - symmetry) * 1.5 * step + doubt
    return Reading(
      frame: frame, lateness: edge + symmetry * (median - edge), deviation: max(1000, deviation))
  }

  /// Adds the distances that describe this batch's shape to their running means.
  ///
  /// Until a batch has 64 values, each batch replaces the means by its own distances.
  private mutating func learnShape() {
    if count == Self.full { batches = min(batches + 1, 100) }
    let share = 1 / max(1, batches)
    let earliest = Double(sorted[0])
    let median = Double(sorted[count / 2])
    let few = max(1, count / 8)
    toEarliest += (median - earliest - toEarliest) * share
    toQuartile += (median - Double(sorted[count / 4]) - toQuartile) * share
    step += ((Double(sorted[few]) - earliest) / Double(few) - step) * share
  }

  /// The symmetry of the noise, 0 … 1: 1 if the noise goes both ways, 0 if positions are only late.
  ///
  /// The value is also 0 until a batch has had 64 values.
  private var symmetry: Double {
    guard batches > 0, toQuartile > 0 else { return 0 }
    return min(1, max(0, (toEarliest / toQuartile - 2.5) / 0.8))
  }
}
