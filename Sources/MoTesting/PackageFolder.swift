import Glibc

/// Returns the path of the folder of the package that contains a test's file.
public func packageFolder(of file: String = #filePath) -> String {
  above(file, "Package.swift").map { String($0.dropLast("/Package.swift".count)) } ?? ""
}

/// Returns the path of a script of the folder `Outside`, which shares no code with the package.
///
/// The function looks for the script in the folder `Outside` of each folder above the test's file, the nearest folder
/// first. If there is no such script, the result is `name`.
public func outside(_ name: String, from file: String = #filePath) -> String {
  above(file, "Outside/\(name)") ?? name
}

/// Returns the path of `name` in the nearest folder above `file` that contains `name`; nil if no folder does.
private func above(_ file: String, _ name: String) -> String? {
  var folder = file[...]
  while let slash = folder.lastIndex(of: "/") {
    folder = folder[..<slash]
    if access("\(folder)/\(name)", F_OK) == 0 { return "\(folder)/\(name)" }
  }
  return nil
}
