/// Why a file cannot be played; its text says what to type or to write instead.
enum RunError: Error, CustomStringConvertible, Equatable {
  case unreadable(path: String, reason: String)
  case noInstrument(path: String)
  case isProgram(path: String)
  case noCompiler
  case noModules(folder: String)
  case cannotBuild(String)
  case cannotLoad(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case noHome

  var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .noInstrument(let path):
      "\(path) declares no instrument: it needs a type such as struct Bell: Instrument (Docs/YourFirstInstrument.md)"
    case .isProgram(let path):
      "\(path) is a program of its own, and momu run plays a file that declares an Instrument: take MoApp out of it, "
        + "or make a package with momu new NAME"
    case .noCompiler:
      "swiftc was not found: install Swift (https://www.swift.org/install/linux/), or add its folder to PATH"
    case .noModules(let folder):
      "\(folder) has no modules to build with: type swift run momu run FILE in the folder of MoMu's sources"
    case .cannotBuild(let text): text
    case .cannotLoad(let path, let reason): "cannot load what was built of \(path): \(reason)"
    case .noHome:
      "there is no folder of your own to build in: neither HOME nor XDG_CACHE_HOME is set; type "
        + "XDG_CACHE_HOME=/your/folder momu run FILE"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason); XDG_CACHE_HOME may name another folder"
    }
  }
}
