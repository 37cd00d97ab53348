import Glibc
import MoInstruments

/// Builds a file with an instrument into a library, loads it, and takes the instrument out.
///
/// Each build is a module of a name of its own, so that types of one name in two of them stay two; what is loaded stays
/// loaded, since the audio thread may still be in it.
///
/// - Thread: one at a time; `cancel` on any.
final class InstrumentBuilder: @unchecked Sendable {
  // Unchecked: only the thread that builds counts.
  private let path: String
  private let compiler: SwiftCompiler
  private let folder: String
  private let process = BuildProcess()
  private var builds = 0

  /// A builder with a folder of its own among the caches.
  ///
  /// - Throws: `RunError`.
  init(_ path: String) throws {
    self.path = path
    compiler = try SwiftCompiler.found()
    // Another user could write to a folder that all users share, and momu would load that user's code.
    guard let caches = Self.caches else { throw RunError.noHome }
    let all = "\(caches)/momu/run"
    // Those that crashed could not clean up.
    for name in SystemFiles.names(in: all) {
      if let process = pid_t(name), kill(process, 0) != 0 { Self.remove("\(all)/\(name)") }
    }
    folder = "\(all)/\(getpid())"
    if let reason = WholeFile.write("\(path)\n", to: "\(folder)/file", isPrivate: false) {
      throw RunError.cannotWrite(path: folder, reason: reason)
    }
  }

  /// Builds the file as it is now.
  ///
  /// - Returns: the instrument, and what the compiler said of it, most often nothing.
  /// - Throws: `RunError.cannotBuild` with the compiler's own words; whatever else went wrong.
  func build() throws(RunError) -> (entry: InstrumentFactory, remarks: String) {
    let file = try InstrumentFile(path)
    builds += 1
    let module = "\(file.module)_\(builds)"
    let (door, log, library) = ("\(folder)/door.swift", "\(folder)/log", "\(folder)/\(module).so")
    if let reason = WholeFile.write(Self.door(to: file.type), to: door, isPrivate: false) {
      throw .cannotWrite(path: door, reason: reason)
    }
    let command = compiler.command(file: path, door: door, module: module, output: library)
    let isBuilt = process.run(command, log: log)
    var remarks = WholeFile.text(of: log) ?? ""
    while remarks.last?.isNewline ?? false { remarks.removeLast() }
    guard isBuilt else { throw .cannotBuild(remarks) }
    return (try load(library), remarks)
  }

  /// Ends a build that runs; it then throws.
  func cancel() { process.cancel() }

  /// Removes what was built; what is loaded is not needed there any more.
  func clean() {
    cancel()
    Self.remove(folder)
  }

  private static func remove(_ folder: String) {
    for name in SystemFiles.names(in: folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// The one function that is called by its name: everything else goes through the types.
  private static func door(to type: String) -> String {
    """
    import MoInstruments

    @_cdecl("momu_instrument")
    public func momuInstrument(_ place: UnsafeMutableRawPointer) {
      place.initializeMemory(as: InstrumentFactory.self, to: InstrumentFactory(\(type).self))
    }

    """
  }

  private func load(_ library: String) throws(RunError) -> InstrumentFactory {
    guard let image = dlopen(library, RTLD_NOW | RTLD_LOCAL), let door = dlsym(image, "momu_instrument")
    else {
      throw .cannotLoad(path: path, reason: dlerror().map { String(cString: $0) } ?? "it has no instrument")
    }
    typealias Door = @convention(c) (UnsafeMutableRawPointer) -> Void
    let place = UnsafeMutablePointer<InstrumentFactory>.allocate(capacity: 1)
    defer { place.deallocate() }
    unsafeBitCast(door, to: Door.self)(place)
    return place.move()
  }

  /// The user's folder of caches; nil where none is named.
  private static var caches: String? {
    if let folder = getenv("XDG_CACHE_HOME").map({ String(cString: $0) }), folder.hasPrefix("/") {
      return folder
    }
    let home = getenv("HOME").map { String(cString: $0) }
    return home.flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
  }
}
