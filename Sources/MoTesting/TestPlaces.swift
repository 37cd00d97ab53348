import Glibc

/// Returns the path of an independent script: `Outside/NAME` in the nearest folder above a test's file that has it.
///
/// Such scripts share no code with the package.
public func outside(_ name: String, from file: String = #filePath) -> String {
  above(file, "Outside/\(name)") ?? name
}

/// Returns the package folder of a test's file.
public func packageFolder(of file: String = #filePath) -> String {
  above(file, "Package.swift").map { String($0.dropLast("/Package.swift".count)) } ?? ""
}

/// Returns the path of a name in the nearest folder above a file that contains it; nil if none does.
private func above(_ file: String, _ name: String) -> String? {
  var folder = file[...]
  while let slash = folder.lastIndex(of: "/") {
    folder = folder[..<slash]
    if access("\(folder)/\(name)", F_OK) == 0 { return "\(folder)/\(name)" }
  }
  return nil
}
