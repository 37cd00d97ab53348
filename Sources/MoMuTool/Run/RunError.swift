/// An error of `momu run`; its text says what to type or to change.
enum RunError: Error, CustomStringConvertible, Equatable {
  case unreadable(path: String, reason: String)
  case isFolder(path: String)
  case noInstrument(path: String)
  case isProgram(path: String)
  case isAlsoProgram(path: String)
  case noCompiler
  case noModules(folder: String)
  case cannotBuild(String)
  case incompleteBuild(sources: String, remarks: String)
  case cannotLoad(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case noHome

  var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .isFolder(let path): "\(path) is a folder: name a file in it, such as bell.swift"
    case .noInstrument(let path):
      "\(path) declares no instrument: it needs a type such as struct Bell: Instrument (Docs/YourFirstInstrument.md)"
    case .isProgram(let path):
      "\(path) is a program, but momu run plays only a file that declares an Instrument: "
        + InstrumentFile.wayToStart(program: path)
    case .isAlsoProgram(let path):
      "\(path) declares an instrument and also starts a program: remove MoApp from it"
    case .noCompiler:
      "cannot find swiftc: install Swift (https://www.swift.org/install/linux/), or add its folder to PATH"
    case .noModules(let folder):
      "\(folder) has no modules to build with: type swift run momu run FILE in the folder of MoMu's sources"
    case .cannotBuild(let text): text
    case .incompleteBuild(let sources, let remarks):
      "MoMu's own build in \(sources) is incomplete (it may have been interrupted): "
        + "type make -C \(sources) install, then momu run again; the compiler says:\n\(remarks)"
    case .cannotLoad(let path, let reason):
      "cannot load the build of \(path): \(reason); type make install in MoMu's folder"
    case .noHome:
      "cannot find your cache folder: neither HOME nor XDG_CACHE_HOME is set; type "
        + "XDG_CACHE_HOME=/your/folder momu run FILE"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason); set XDG_CACHE_HOME to a folder that you can write to"
    }
  }
}
