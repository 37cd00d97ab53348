import MoDSP
import MoOrchestra

/// The lines of a grid in the block at hand, so that the sample loop need only count frames.
struct BeatPlan {
  private var steps: BeatSteps
  private var lines: InlineArray<32, BeatSteps.Step?> = .init(repeating: nil)
  private var count = 0
  private var done = 0

  init(_ grid: BeatGrid) { steps = BeatSteps(grid) }

  /// Notes the lines of a block.
  mutating func read(_ block: borrowing AudioBlock, _ beat: BeatClock) {
    (count, done) = (0, 0)
    while count < lines.count, let step = steps.next(in: block, of: beat) {
      lines[count] = step
      count += 1
    }
  }

  /// The next line that is due at a frame; nil where none is any more.
  mutating func due(at frame: Int) -> BeatSteps.Step? {
    guard done < count, let step = lines[done], step.frame <= frame else { return nil }
    done += 1
    return step
  }
}
