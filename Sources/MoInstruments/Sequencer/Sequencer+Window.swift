import MoCore
import MoDSP

extension Sequencer {
  /// The heard and the played times of a block, and the rhythm of the instrument.
  struct Window {
    /// The heard time of the block's first frame.
    var heard: HostTime
    /// The range of played times that belongs to the block.
    ///
    /// A strike that was played at `first` is heard with the block's first frame. A strike that was played at `end` is
    /// heard with the first frame after the block.
    var played: (first: HostTime, end: HostTime)
    /// The beat of the rhythm that the instrument follows; nil for none.
    var clock: BeatClock?

    init(_ block: borrowing AudioBlock, _ clock: BeatClock?) {
      heard = block.time(0)
      played = (block.playedTime(0), block.playedTime(block.frames.count))
      self.clock = clock
    }

    /// The play-through delay, from a strike to its sound, in nanoseconds.
    var playThrough: Int64 { heard.nanoseconds(since: played.first) }
  }
}
