import Glibc
import MoCore
import MoRuntime
import MoTesting
import Synchronization
import Testing

@Suite("A watch on a folder of devices")
struct DeviceWatchTests {
  @Test("checks every second for an awaited device while it is missing, and never while it is present")
  func awaited() {
    let folder = Scratch()
    defer { withExtendedLifetime(folder) {} }
    let awaited = AwaitedDevice()
    let looks = Atomic<Int>(0)
    // Its parent is watched, too; no other program creates anything in this one.
    let watch = DeviceWatch(
      folder: folder.path + "/input", awaited: awaited,
      changed: { looks.wrappingAdd(1, ordering: .relaxed) })
    func counted(at seconds: Double) -> Int {
      watch.service(until: HostTime.zero.advanced(bySeconds: seconds))
      return looks.load(ordering: .relaxed)
    }
    #expect(watch.nextTime == nil)
    #expect(counted(at: 50) == 0)
    awaited.since = HostTime.zero.advanced(bySeconds: 100)
    #expect(watch.nextTime == HostTime.zero.advanced(bySeconds: 101))
    #expect(counted(at: 100.9) == 0)
    #expect(counted(at: 101) == 1)
    #expect(watch.nextTime == HostTime.zero.advanced(bySeconds: 102))
    #expect(counted(at: 101.5) == 1)
    #expect(counted(at: 102) == 2)
    awaited.since = nil
    #expect(watch.nextTime == nil)
    #expect(counted(at: 200) == 2)
  }

  @Test("waits longer each time for a device that fails immediately, up to 10 s")
  func fails() {
    let awaited = AwaitedDevice()
    let watch = DeviceWatch(folder: "/nowhere/input", awaited: awaited, changed: {})
    var now = HostTime(seconds: 100)
    var pauses: [Double] = []
    for lived in [0.5, 0, 1, 0, 0, 0, 1.5, 0] {
      let opened = now
      now = now.advanced(bySeconds: lived)
      awaited.begin(at: now, opened: opened)
      pauses.append(watch.nextTime?.seconds(since: now) ?? -1)
      now = watch.nextTime ?? now
      watch.service(until: now)
    }
    #expect(pauses == [1, 2, 4, 8, 10, 10, 1, 1])
    awaited.begin(at: now, opened: nil)
    #expect(watch.nextTime?.seconds(since: now) == 1)
  }

  @Test("reports a new device immediately, also in a folder that was missing")
  func comes() throws {
    let folder = Scratch()
    let looks = Atomic<Int>(0)
    let watch = DeviceWatch(folder: folder.file("devices")) { looks.wrappingAdd(1, ordering: .relaxed) }
    func counted() -> Int {
      watch.service(until: .zero)
      return looks.load(ordering: .relaxed)
    }
    try #require(mkdir(folder.file("devices"), 0o755) == 0)
    #expect(counted() == 1)
    try #require(close(creat(folder.file("devices/event0"), 0o644)) == 0)
    #expect(counted() == 2)
    #expect(counted() == 2)
  }
}
