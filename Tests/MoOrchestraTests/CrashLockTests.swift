import Glibc
import MoOrchestra
import MoTesting
import Testing

/// A folder that is removed with its files.
private final class Folder {
  let path: String

  init() {
    var name = Array("/tmp/momu-XXXXXX".utf8CString)
    path = mkdtemp(&name).map { String(cString: $0) } ?? ""
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var names: [String] {
    guard let listing = opendir(path) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Makes a file look untouched for the given time.
  func age(_ name: String, seconds: Int) {
    var status = stat()
    stat("\(path)/\(name)", &status)
    let then = timespec(tv_sec: status.st_mtim.tv_sec - seconds, tv_nsec: 0)
    utimensat(AT_FDCWD, "\(path)/\(name)", [then, then], 0)
  }
}

@Suite("The crash lock", .serialized)
struct RoomSlotTests {
  private let folder = Folder()

  /// Takes the lock of a room; releasing its last reference acts like a kill of the program.
  private func acquire(_ room: String? = nil, program: String = "Drum") -> CrashLock? {
    let slot = CrashLock.acquire(folder.path, program: program)
    if let room { slot?.write(SavedRoom(room: room)) }
    return slot
  }

  @Test("returns the place of a killed program once")
  func killed() {
    do { _ = acquire("Lab") }
    let again = acquire()
    #expect(again?.before?.room == "Lab")
    #expect(acquire()?.before == nil)
    withExtendedLifetime(again) {}
  }

  @Test("a living program keeps its lock through all its changes")
  func living() {
    let first = acquire("Lab")
    first?.write(SavedRoom(room: "Hall"))
    let second = acquire("Lab")
    #expect(second?.before == nil)
    #expect(folder.names == ["Drum.1", "Drum.2"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("forgets a program that left properly")
  func left() {
    do { acquire("Lab")?.clear() }
    #expect(folder.names == [])
    #expect(acquire()?.before == nil)
  }

  @Test("returns both of two killed programs of a name, but none of another name")
  func several() {
    do {
      let slots = (acquire("Lab"), acquire("Hall"), acquire("Attic", program: "momu session"))
      withExtendedLifetime(slots) {}
    }
    #expect(folder.names == ["Drum.1", "Drum.2", "momu-session.1"])
    let slots = (acquire(), acquire(), acquire())
    #expect([slots.0, slots.1, slots.2].map { $0?.before?.room } == ["Lab", "Hall", nil])
  }

  @Test("forgets a killed program after a quarter of an hour without a sign of life; a sign extends that")
  func old() {
    do { _ = acquire("Lab") }
    folder.age("Drum.1", seconds: CrashLock.timeout + 1)
    #expect(acquire()?.before == nil)
    do {
      let slot = acquire("Lab")
      folder.age("Drum.1", seconds: CrashLock.timeout + 1)
      slot?.touch()
    }
    #expect(acquire()?.before?.room == "Lab")
  }

  @Test("removes the files of programs that were killed long ago, and keeps living and recent ones")
  func oldKeys() {
    do { _ = acquire("Lab", program: "Harp") }
    do { _ = acquire("Lab", program: "Piano") }
    let living = acquire("Hall", program: "Bell")
    for name in ["Harp.1", "Bell.1"] { folder.age(name, seconds: CrashLock.timeout + 1) }
    let slot = acquire("Lab")
    #expect(folder.names == ["Bell.1", "Drum.1", "Piano.1"])
    withExtendedLifetime((living, slot)) {}
  }

  @Test("reports an unreadable file in one line, and reuses it")
  func malformed() {
    do { _ = acquire("Lab") }
    truncate("\(folder.path)/Drum.1", 20)
    let log = LogCapture()
    let slot = acquire("Hall")
    #expect(slot?.before == nil)
    #expect(
      log.texts.filter { $0.hasPrefix(folder.path) } == [
        "\(folder.path)/Drum.1 is malformed, so its room is forgotten"
      ])
    #expect(folder.names == ["Drum.1"])
  }

  @Test("saves nothing, without an error, if the folder is not writable")
  func unwritable() {
    #expect(CrashLock.acquire("/proc/nowhere", program: "Drum") == nil)
  }
}
