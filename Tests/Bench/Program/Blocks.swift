import Glibc
import MoMu
import Synchronization

/// Prints the time from one block to the next, on average over `blocks`, with a callback that only counts.
///
/// On a device that never makes anybody wait, that is what a block costs.
func measureBlocks(frames: Int, blocks: Int) {
  let result = Atomic<Int64>(0)
  MoApp.run("Times blocks.", arguments: options) {
    try MoAudio.start(BlockCount(warmUp: blocks / 10, wanted: blocks), blockFrames: frames) { count, block in
      if let nanoseconds = count.next() { result.store(nanoseconds, ordering: .releasing) }
    }
    guard MoAudio.blockFrames == frames else {
      throw OtherBlock(asked: frames, got: MoAudio.blockFrames)
    }
    wait { result.load(ordering: .acquiring) != 0 }
    MoAudio.stop()
    print(Double(result.load(ordering: .relaxed)) / Double(blocks))
    exit(0)
  }
}

/// The device runs at another block than is to be measured.
struct OtherBlock: Error, CustomStringConvertible {
  let asked: Int
  let got: Int
  var description: String { "asked for blocks of \(asked) frames, the device runs at \(got)" }
}

/// Counts blocks and times those after the first few.
struct BlockCount {
  let warmUp: Int
  let wanted: Int
  private var seen = 0
  private var start = HostTime.zero

  init(warmUp: Int, wanted: Int) {
    self.warmUp = warmUp
    self.wanted = wanted
  }

  /// Nanoseconds taken by the wanted blocks, once, at the last of them.
  mutating func next() -> Int64? {
    seen += 1
    if seen == warmUp { start = SystemClock().now }
    guard seen == warmUp + wanted else { return nil }
    return (SystemClock().now - start).nanoseconds
  }
}
