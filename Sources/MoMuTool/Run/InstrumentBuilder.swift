import Glibc
import MoInstruments

/// Builds the file of an instrument into a library, and loads the instrument from it.
///
/// Each build is a module with its own name, so that equal type names in two builds stay different types. A loaded
/// library stays loaded, since the audio thread may still run its code.
///
/// - Thread: one thread at a time; `cancel` on any.
final class InstrumentBuilder: @unchecked Sendable {
  // Unchecked: only the building thread changes `builds`.
  private let path: String
  private let compiler: SwiftCompiler
  private let folder: String
  private let process = BuildProcess()
  private var builds = 0

  /// The maximum number of attempts to build a file if the file is saved during each build.
  ///
  /// The error of the last attempt is reported.
  private static let mostAttempts = 5

  /// Creates a builder for the file at `path`, with a build folder in the user's cache folder.
  ///
  /// - Throws: `RunError`.
  init(_ path: String) throws {
    self.path = path
    compiler = try SwiftCompiler.found()
    // In a shared folder, another user could replace the library, and momu would load that user's code.
    guard let caches = Self.caches else { throw RunError.noHome }
    let all = "\(caches)/momu/run"
    // Remove the folders of processes that crashed.
    for name in SystemFiles.names(in: all) {
      if let process = pid_t(name), kill(process, 0) != 0 { Self.remove("\(all)/\(name)") }
    }
    folder = "\(all)/\(getpid())"
    if let reason = WholeFile.write("\(path)\n", to: "\(folder)/file", isPrivate: false) {
      throw RunError.cannotWrite(path: folder, reason: reason)
    }
  }

  /// Builds the current version of the file.
  ///
  /// - Returns: the instrument, and the compiler's warnings as text; without warnings, the text is empty.
  /// - Throws: `RunError.cannotBuild` with the compiler's output; other cases of `RunError`.
  func build() throws(RunError) -> (entry: InstrumentFactory, remarks: String) {
    let file = try InstrumentFile(path)
    builds += 1
    let module = "\(file.module)_\(builds)"
    let (door, log, library) = ("\(folder)/door.swift", "\(folder)/log", "\(folder)/\(module).so")
    if let reason = WholeFile.write(Self.door(to: file.type), to: door, isPrivate: false) {
      throw .cannotWrite(path: door, reason: reason)
    }
    let command = compiler.command(file: path, door: door, module: module, output: library)
    var (isBuilt, remarks) = (false, "")
    // The compiler refuses a file that is saved meanwhile; an editor may save it in several steps.
    for _ in 0..<Self.mostAttempts where !isBuilt {
      isBuilt = process.run(command, log: log)
      remarks = WholeFile.text(of: log) ?? ""
      guard remarks.contains("was modified during the build") else { break }
    }
    while remarks.last?.isNewline ?? false { remarks.removeLast() }
    func text(_ advice: String?) -> String {
      [remarks, advice ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
    }
    guard isBuilt else { throw compiler.ownError(remarks) ?? .cannotBuild(text(file.adviceOnErrors)) }
    return (try load(library), text(file.advice))
  }

  /// Cancels a running build; `build` then throws.
  func cancel() { process.cancel() }

  /// Cancels a running build and removes the build folder; loaded libraries do not need their files any more.
  func clean() {
    cancel()
    Self.remove(folder)
  }

  private static func remove(_ folder: String) {
    for name in SystemFiles.names(in: folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// Returns the Swift source of `momu_instrument`, the function from which this program gets the library's instrument.
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

  /// The user's cache folder; nil if neither `XDG_CACHE_HOME` nor `HOME` is a full path.
  private static var caches: String? {
    if let folder = getenv("XDG_CACHE_HOME").map({ String(cString: $0) }), folder.hasPrefix("/") {
      return folder
    }
    let home = getenv("HOME").map { String(cString: $0) }
    return home.flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
  }
}
