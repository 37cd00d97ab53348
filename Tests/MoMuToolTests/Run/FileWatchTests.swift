import MoMu
import MoMuTool
import Testing

@Suite("Watching a file")
struct FileWatchTests {
  /// A watch and its reports.
  private final class Watched {
    let saves: Locked<[Int]>
    let losses: Locked<Int>
    let watch: FileWatch

    init(_ stamp: FileStamp?) {
      let (saves, losses) = (Locked<[Int]>([]), Locked(0))
      (self.saves, self.losses) = (saves, losses)
      watch = FileWatch(
        "a.swift", since: stamp, at: .zero,
        saved: { stamp in saves.withLock { $0.append(stamp.size) } },
        gone: { losses.withLock { $0 += 1 } })
    }

    /// Simulates a poll: the size of the file, or nil if it is missing; each size is another save.
    func check(_ sizes: Int?...) {
      for size in sizes { watch.check(size.map(Self.stamp)) }
    }

    static func stamp(_ size: Int) -> FileStamp {
      FileStamp(inode: 1, size: size, seconds: size, nanoseconds: 0)
    }

    var saved: [Int] { saves.withLock { $0 } }
  }

  @Test("reports a save once, at the second poll that sees it unchanged")
  func once() {
    let file = Watched(Watched.stamp(10))
    file.check(10, 10, 11)
    #expect(file.saved == [])
    file.check(11)
    #expect(file.saved == [11])
    file.check(11, 11, 11)
    #expect(file.saved == [11])
  }

  @Test("counts quick successive saves as one")
  func quick() {
    let file = Watched(Watched.stamp(10))
    file.check(11, 12, 13, 13, 13)
    #expect(file.saved == [13])
  }

  @Test("reports a file that was truncated or missing for a moment only when it is complete")
  func emptied() {
    let file = Watched(Watched.stamp(10))
    file.check(0, 0, 11, 11, nil, nil, 12, 12)
    #expect(file.saved == [11, 12])
    #expect(file.losses.withLock { $0 } == 0)
  }

  @Test("does not report a file that comes back unchanged")
  func same() {
    let file = Watched(Watched.stamp(10))
    file.check(nil, 10, 10, 10)
    #expect(file.saved == [])
  }

  @Test("reports a file that is missing for a second once, and finds it again")
  func gone() {
    let file = Watched(Watched.stamp(10))
    for _ in 0..<60 { file.check(nil) }
    #expect(file.losses.withLock { $0 } == 1)
    file.check(11, 11)
    #expect(file.saved == [11])
  }

  @Test("reports a file with the same bytes that an editor renamed into place")
  func renamed() {
    let file = Watched(Watched.stamp(10))
    let other = FileStamp(inode: 2, size: 10, seconds: 10, nanoseconds: 0)
    file.watch.check(other)
    file.watch.check(other)
    #expect(file.saved == [10])
  }
}
