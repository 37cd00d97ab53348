import Glibc
import MoInstruments
import MoMu

/// Builds the file of an instrument into a library, and loads the instrument from it.
///
/// Each build is a module with its own name, so that equal type names in two builds stay different types. A loaded
/// library stays loaded, since the audio thread may still run its code.
///
/// - Thread: one thread at a time; `cancel` and `end` on any.
final class InstrumentBuilder: @unchecked Sendable {
  // Unchecked: only the building thread changes `builds`.
  private let path: String
  private let compiler: SwiftCompiler
  private let folder: String
  /// The open file in `folder` whose lock shows that this program runs; −1 if it cannot be opened.
  private let lock: Int32
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
    for name in SystemFiles.names(in: all) { Self.removeAbandoned("\(all)/\(name)") }
    // A process of another machine with the same home folder may have the same process ID.
    folder = "\(all)/\(getpid())-\(UInt32.random(in: 0 ... .max))"
    if let reason = WholeFile.write("\(path)\n", to: "\(folder)/file", isPrivate: false) {
      throw RunError.cannotWrite(path: folder, reason: reason)
    }
    lock = open("\(folder)/file", O_RDWR | O_CLOEXEC)
    flock(lock, LOCK_EX | LOCK_NB)
  }

  deinit { close(lock) }

  /// Builds the current version of the file.
  ///
  /// - Returns: the instrument, and the compiler's warnings as text; without warnings, the text is empty.
  /// - Throws: `RunError.cannotBuild` with the compiler's output; other cases of `RunError`.
  func build() throws(RunError) -> (entry: InstrumentFactory, remarks: String) {
    let file = try InstrumentFile(path)
    builds += 1
    let module = "\(file.module)_\(builds)"
    let (entryPoint, log, library) = ("\(folder)/door.swift", "\(folder)/log", "\(folder)/\(module).so")
    if let reason = WholeFile.write(Self.entryPoint(to: file.type), to: entryPoint, isPrivate: false) {
      throw .cannotWrite(path: entryPoint, reason: reason)
    }
    let command = compiler.command(file: path, entryPoint: entryPoint, module: module, output: library)
    var (isBuilt, remarks) = (false, "")
    // The compiler refuses a file that is saved meanwhile; an editor may save it in several steps.
    for _ in 0..<Self.mostAttempts where !isBuilt {
      // No sound plays during the first build: Ctrl-C ends the compiler together with this program.
      isBuilt = process.run(command, log: log, inOwnGroup: builds > 1)
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

  /// Cancels a running build and each later build, since the program ends.
  func end() { process.end() }

  /// Cancels all builds and removes the build folder; loaded libraries do not need their files any more.
  func clean() {
    end()
    Self.remove(folder)
  }

  /// Removes a build folder if its program was killed: no program then holds the lock of the file in it.
  ///
  /// The kernel releases the lock however the program ends. A program on another machine holds its lock, too.
  private static func removeAbandoned(_ folder: String) {
    let file = open("\(folder)/file", O_RDWR | O_CLOEXEC)
    // The file is missing if the program was killed while it made or removed the folder.
    guard file >= 0 || errno == ENOENT else { return }
    defer { if file >= 0 { close(file) } }
    var status = stat()
    // A program that has just made its folder has not locked the file yet.
    guard (file >= 0 ? fstat(file, &status) : stat(folder, &status)) == 0,
      time(nil) - status.st_mtim.tv_sec > 60, file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0
    else { return }
    remove(folder)
  }

  private static func remove(_ folder: String) {
    for name in SystemFiles.names(in: folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// Returns the Swift source of `momu_instrument`, the function from which this program gets the library's instrument.
  private static func entryPoint(to type: String) -> String {
    """
    import MoInstruments

    @_cdecl("momu_instrument")
    public func momuInstrument(_ place: UnsafeMutableRawPointer) {
      place.initializeMemory(as: InstrumentFactory.self, to: InstrumentFactory(\(type).self))
    }

    """
  }

  private func load(_ library: String) throws(RunError) -> InstrumentFactory {
    guard let image = dlopen(library, RTLD_NOW | RTLD_LOCAL), let entryPoint = dlsym(image, "momu_instrument")
    else {
      throw .cannotLoad(path: path, reason: dlerror().map { String(cString: $0) } ?? "it has no instrument")
    }
    typealias EntryPoint = @convention(c) (UnsafeMutableRawPointer) -> Void
    let place = UnsafeMutablePointer<InstrumentFactory>.allocate(capacity: 1)
    defer { place.deallocate() }
    unsafeBitCast(entryPoint, to: EntryPoint.self)(place)
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

/// A build command that another thread can cancel.
///
/// - Thread: `run` on one thread at a time; `cancel` and `end` on any.
final class BuildProcess: Sendable {
  private struct State: Sendable {
    /// The ID of the running process, which leads its process group; 0 for none, or for a process in this program's
    /// group.
    var process: pid_t = 0
    /// Whether no process may start any more.
    var hasEnded = false

    /// Kills the running process with the processes that it started.
    func kill() { if process > 0 { Glibc.kill(-process, SIGKILL) } }
  }

  private let state = Locked(State())

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - log: the file for the command's output.
  ///   - inOwnGroup: whether the command gets a process group of its own. Only then can `cancel` and `end` kill it;
  ///     else Ctrl-C, which reaches this program's group, kills it.
  /// - Returns: whether the command succeeded; false without a start after `end`.
  func run(_ command: [String], log: String, inOwnGroup: Bool = true) -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // With its own process group, the whole build can be killed, and Ctrl-C reaches the sound only.
    let group = inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    // No signal is blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGMASK))
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let process = state.withLock { state -> pid_t in
      var process: pid_t = 0
      guard !state.hasEnded,
        posix_spawnp(&process, command[0], &actions, &attributes, &words, environ) == 0
      else { return 0 }
      if inOwnGroup { state.process = process }
      return process
    }
    return process > 0 && wait(for: process)
  }

  /// Kills the running command with the processes that it started; without effect if no command runs.
  func cancel() { state.withLock { $0.kill() } }

  /// Kills the running command as `cancel` does, and starts no command from now on.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      state.kill()
    }
  }

  private func wait(for process: pid_t) -> Bool {
    var about = siginfo_t()
    // WNOWAIT keeps the process ID reserved, so that `cancel` cannot kill another process by mistake.
    while waitid(P_PID, id_t(process), &about, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    state.withLock { $0.process = 0 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status == 0
  }
}
