import Glibc

/// The path of a script that shares nothing with the package, from the next folder `Outside` above a test's file that
/// has it.
public func outside(_ name: String, from file: String = #filePath) -> String {
  above(file, "Outside/\(name)") ?? name
}

/// The folder of the package that a test's file is in.
public func packageFolder(of file: String = #filePath) -> String {
  above(file, "Package.swift").map { String($0.dropLast("/Package.swift".count)) } ?? ""
}

/// The path of something in the next folder above a file that has it; nil where none has.
private func above(_ file: String, _ name: String) -> String? {
  var folder = file[...]
  while let slash = folder.lastIndex(of: "/") {
    folder = folder[..<slash]
    if access("\(folder)/\(name)", F_OK) == 0 { return "\(folder)/\(name)" }
  }
  return nil
}
