import MoMu
import Testing

@testable import MoMuTool

@Suite("Watching a file")
struct FileWatchTests {
  /// A watch, and what it told.
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

    /// Looks at what is there: its size, or nil for nothing; each size is another save.
    func look(_ sizes: Int?...) {
      for size in sizes { watch.look(size.map(Self.stamp)) }
    }

    static func stamp(_ size: Int) -> FileStamp {
      FileStamp(inode: 1, size: size, seconds: size, nanoseconds: 0)
    }

    var told: [Int] { saves.withLock { $0 } }
  }

  @Test("a save is told once, at the second look that finds it alike")
  func once() {
    let file = Watched(Watched.stamp(10))
    file.look(10, 10, 11)
    #expect(file.told == [])
    file.look(11)
    #expect(file.told == [11])
    file.look(11, 11, 11)
    #expect(file.told == [11])
  }

  @Test("quick saves one after another are one")
  func quick() {
    let file = Watched(Watched.stamp(10))
    file.look(11, 12, 13, 13, 13)
    #expect(file.told == [13])
  }

  @Test("a file that is emptied first, or away for a moment, is told of when it is whole")
  func emptied() {
    let file = Watched(Watched.stamp(10))
    file.look(0, 0, 11, 11, nil, nil, 12, 12)
    #expect(file.told == [11, 12])
    #expect(file.losses.withLock { $0 } == 0)
  }

  @Test("one that comes back as it was is no save")
  func same() {
    let file = Watched(Watched.stamp(10))
    file.look(nil, 10, 10, 10)
    #expect(file.told == [])
  }

  @Test("one that is gone for a second is told of once, and found again")
  func gone() {
    let file = Watched(Watched.stamp(10))
    for _ in 0..<60 { file.look(nil) }
    #expect(file.losses.withLock { $0 } == 1)
    file.look(11, 11)
    #expect(file.told == [11])
  }

  @Test("the same bytes in another file's place are a save: an editor renames")
  func renamed() {
    let file = Watched(Watched.stamp(10))
    let other = FileStamp(inode: 2, size: 10, seconds: 10, nanoseconds: 0)
    file.watch.look(other)
    file.watch.look(other)
    #expect(file.told == [10])
  }
}
