import Glibc
import MoSessionCore
import Testing

@Suite("The engine of the session")
struct EngineTests {
  /// The source files of the engine, found relative to this file.
  private static let files: [(name: String, text: String)] = {
    var place = #filePath[...]
    while let slash = place.lastIndex(of: "/") {
      place = place[..<slash]
      let folder = "\(place)/Sources/MoSessionCore/Engine"
      guard let directory = opendir(folder) else { continue }
      defer { closedir(directory) }
      var files: [(name: String, text: String)] = []
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard name.hasPrefix("SessionCore"), let file = fopen("\(folder)/\(name)", "r") else { continue }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        files.append((name, String(decoding: bytes[..<count], as: UTF8.self)))
      }
      return files
    }
    return []
  }()

  @Test("assigns nothing in a component's storage: only the component's own functions change it")
  func storage() throws {
    #expect(Self.files.count >= 5)
    // A component, then members of it, then an assignment or a call that mutates a collection.
    let change = try Regex(
      #"\b(roster|clock|agreement|delivery|sharing|activity|followers|healthCheck)\??(\.[a-z]\w*|\[[^\]]*\])+ ?([-+&|]*=[^=]|\.(append|insert|removeAll)\()"#
    )
    #expect("roster.members[id] = nil".contains(change))
    #expect("agreement.state.policy.only = only".contains(change))
    for (name, text) in Self.files {
      for line in text.split(separator: "\n") where line.contains(change) {
        #expect(Bool(false), "\(name): \(line)")
      }
    }
  }
}
