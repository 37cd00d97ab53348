import Glibc

/// A file under /tmp that is removed with its owner.
final class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8] = []) {
    var template = Array("/tmp/momu-tape-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    close(descriptor)
    self.bytes = bytes
  }

  deinit { unlink(path) }

  var bytes: [UInt8] {
    get { contents(of: path) }
    set {
      let file = fopen(path, "w")
      fwrite(newValue, 1, newValue.count, file)
      fclose(file)
    }
  }
}

/// Returns the bytes of a whole file; empty if there is none.
func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  return readAll(file)
}

/// Returns the output of a shell command, with its errors.
func shell(_ command: String) -> String {
  guard let pipe = popen(command + " 2>&1", "r") else { return "" }
  defer { pclose(pipe) }
  return String(decoding: readAll(pipe), as: UTF8.self)
}

private func readAll(_ file: UnsafeMutablePointer<FILE>) -> [UInt8] {
  var bytes: [UInt8] = []
  var byte = getc(file)
  while byte != EOF {
    bytes.append(UInt8(truncatingIfNeeded: byte))
    byte = getc(file)
  }
  return bytes
}
