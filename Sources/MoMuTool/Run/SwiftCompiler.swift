import Glibc
import MoMu

/// The Swift compiler with flags to build against this program's own modules.
///
/// The compiled libraries are loaded into this program and use the program's types. The modules must therefore be from
/// the same build as the program.
struct SwiftCompiler: Sendable {
  private let flags: [String]
  /// The folder of MoMu's sources.
  private let sources: String

  /// Finds the compiler and the modules of this program.
  ///
  /// - Throws: `RunError.noCompiler` or `.noModules`.
  static func found() throws -> SwiftCompiler {
    let built = (realPath("/proc/self/exe") ?? "").split(separator: "/").dropLast().map { "/\($0)" }.joined()
    // Check the modules first: an installed momu may lack both, and this error's advice is the one that helps.
    guard access("\(built)/Modules/MoInstruments.swiftmodule", R_OK) == 0 else {
      throw RunError.noModules(folder: built)
    }
    let sources = try MoMuSources.found(named: nil).folder
    guard let path = getenv("PATH").map({ String(cString: $0) }),
      path.split(separator: ":").contains(where: { access("\($0)/swiftc", X_OK) == 0 })
    else { throw RunError.noCompiler }
    var flags = ["-O", "-g", "-wmo", "-parse-as-library", "-swift-version", "6", "-emit-library"]
    flags += ["-I", "\(built)/Modules"]
    for library in ["CLiblo", "CALSA", "CEvdev"] { flags += ["-I", "\(sources)/Sources/\(library)"] }
    for folder in headerFolders() { flags += ["-Xcc", "-I\(folder)"] }
    for module in ["CMoSystem", "CMoKernels"] {
      flags += ["-Xcc", "-fmodule-map-file=\(built)/\(module).build/module.modulemap"]
    }
    return SwiftCompiler(flags: flags, sources: sources)
  }

  /// Returns the command that builds an instrument's file into a library.
  ///
  /// - Parameters:
  ///   - file: the path of the instrument's file.
  ///   - entryPoint: the path of the source with the function `momu_instrument`, by which the library gives its
  ///     instrument.
  ///   - module: the name of the module.
  ///   - output: the path of the library.
  func command(file: String, entryPoint: String, module: String, output: String) -> [String] {
    // The audio thread has priority over the compiler.
    ["nice", "-n", "5", "swiftc"] + flags + ["-module-name", module, file, entryPoint, "-o", output]
  }

  /// Returns an error if the compiler's output is about MoMu's own modules; nil if it is about the instrument's file.
  ///
  /// After an interrupted or failed build of MoMu, some modules are missing, or are older than the modules that they
  /// import.
  func ownError(_ remarks: String) -> RunError? {
    let isOwn = ["<unknown>:0: error:", "missing required module", "could not build module"].contains {
      remarks.contains($0)
    }
    return isOwn ? .incompleteBuild(sources: sources, remarks: remarks) : nil
  }

  /// Returns the folders with headers of the system's libraries that the compiler does not search by default.
  private static func headerFolders() -> [String] {
    let output = output(of: ["pkg-config", "--cflags-only-I", "liblo", "alsa", "libevdev"]) ?? ""
    return output.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("-I") }.map {
      String($0.dropFirst(2))
    }
  }
}
