import Glibc

/// A folder that goes with the test, and all that is in it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/momu-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit { TemporaryFolder.remove(path) }

  private static func remove(_ path: String) {
    if let listing = opendir(path) {
      while let entry = readdir(listing) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != "." && name != ".." { remove("\(path)/\(name)") }
      }
      closedir(listing)
    }
    _ = Glibc.remove(path)
  }
}
