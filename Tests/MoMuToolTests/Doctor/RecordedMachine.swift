import Glibc
import MoTesting

@testable import MoMuTool

/// A machine from a file in Recorded, laid out as a folder that serves as the readers' root.
final class RecordedMachine {
  private let folder = Scratch()
  private var addresses: [InterfaceAddress] = []
  private var outputs: [String: String] = [:]
  /// The output of `ls -ln` for the device files: mode, owner, group.
  private var rights: [String: (mode: String, owner: Int, group: Int)] = [:]

  init(_ name: String) throws {
    let here = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    guard let recording = SystemReader().text("/\(here)/Recorded/\(name).txt") else {
      throw Missing(name: name)
    }
    var sink: (String) -> Void = { _ in }
    for line in recording.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("@ ") {
        sink = place(String(line.dropFirst(2)))
      } else if line == "& rights" {
        sink = { [unowned self] in note(rightsIn: $0) }
      } else if line == "& addresses" {
        sink = { [unowned self] in addresses += [address($0)].compactMap { $0 } }
      } else if line.hasPrefix("$ ") {
        sink = { [unowned self] in outputs[String(line.dropFirst(2)), default: ""] += $0 + "\n" }
      } else {
        sink(line)
      }
    }
  }

  struct Missing: Error {
    var name: String
  }

  private func reader(isRoot: Bool = false) -> SystemReader {
    SystemReader(
      root: folder.path, isRoot: isRoot, addresses: { self.addresses },
      run: { self.outputs[$0.joined(separator: " ")] }, rights: { self.fileRights($0) })
  }

  func surroundings(port: Int = 6_449, isRoot: Bool = false) -> SystemSnapshot {
    var read = reader(isRoot: isRoot).surroundings(port: port)
    read.program = "momu"
    return read
  }

  func inventory() -> DeviceInventory { reader().inventory() }

  /// Returns the rights as the kernel decides: those of the owner, else of the group, else of others.
  ///
  /// `+` is an access list for the logged-in user, who is this user.
  private func fileRights(_ path: String) -> FileRights? {
    guard let file = rights[path] else { return nil }
    let person = reader().person()
    let mode = Array(file.mode)
    let part = person.active.contains(file.group) ? 4 : 7
    let isAll = person.isRoot || mode.last == "+"
    return FileRights(
      group: file.group, isForGroup: mode[4] == "r" && mode[5] == "w", mayRead: isAll || mode[part] == "r",
      mayWrite: isAll || mode[part + 1] == "w")
  }

  private func note(rightsIn line: String) {
    let words = line.split(separator: " ").map { String($0) }
    guard words.count == 4, words[0].count >= 10, let owner = Int(words[1]), let group = Int(words[2]) else {
      return
    }
    rights[words[3]] = (words[0], owner, group)
  }

  func findings(port: Int = 6_449, isRoot: Bool = false) -> [Finding] {
    MoMuTool.findings(surroundings(port: port, isRoot: isRoot))
  }

  /// Creates the file or folder of a heading, and returns the place of the lines below it.
  private func place(_ heading: String) -> (String) -> Void {
    if let arrow = heading.firstRange(of: " -> ") {
      let path = folder.path + heading[..<arrow.lowerBound]
      makeFolders(of: path)
      symlink(String(heading[arrow.upperBound...]), path)
      return { _ in }
    }
    let colon = heading.firstRange(of: ": ")
    let path = folder.path + heading[..<(colon?.lowerBound ?? heading.endIndex)]
    makeFolders(of: path)
    append(colon.map { heading[$0.upperBound...] + "\n" } ?? "", to: path)
    return { line in append(line + "\n", to: path) }
  }

  private func address(_ line: String) -> InterfaceAddress? {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "/" })
    guard words.count == 3, let prefix = Int(words[2]) else { return nil }
    return InterfaceAddress(interface: String(words[0]), address: String(words[1]), prefix: prefix)
  }
}

private func makeFolders(of path: String) {
  for (index, letter) in path.enumerated() where letter == "/" { mkdir(String(path.prefix(index)), 0o755) }
}

private func append(_ text: some StringProtocol, to path: String) {
  guard let file = fopen(path, "a") else { return }
  fputs(String(text), file)
  fclose(file)
}
