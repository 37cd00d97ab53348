import MoDSP
import MoOrchestra

/// The grid lines in the current block, so that the sample loop only compares frames.
struct BeatPlan {
  private var steps: BeatSteps
  private var lines: InlineArray<32, BeatSteps.Step?> = .init(repeating: nil)
  private var count = 0
  private var done = 0

  init(_ grid: BeatGrid) { steps = BeatSteps(grid) }

  /// Finds the grid lines of a block.
  mutating func read(_ block: borrowing AudioBlock, _ beat: BeatClock) {
    (count, done) = (0, 0)
    while count < lines.count, let step = steps.next(in: block, of: beat) {
      lines[count] = step
      count += 1
    }
  }

  /// Returns the next line that is due at a frame; nil if none is left.
  mutating func due(at frame: Int) -> BeatSteps.Step? {
    guard done < count, let step = lines[done], step.frame <= frame else { return nil }
    done += 1
    return step
  }
}
