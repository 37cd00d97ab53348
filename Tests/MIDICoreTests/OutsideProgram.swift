import Glibc

/// The output of a shell command, and its exit status.
func shell(_ line: String) -> (text: String, status: Int32) {
  guard let output = popen("exec 2>&1; \(line)", "r") else { return ("", -1) }
  var bytes: [UInt8] = []
  while case let letter = fgetc(output), letter != EOF { bytes.append(UInt8(truncatingIfNeeded: letter)) }
  let ended = pclose(output)
  return (String(decoding: bytes, as: UTF8.self), ended >> 8 & 0xFF)
}

/// Whether a shell command succeeds.
func succeeds(_ line: String) -> Bool { shell(line).status == 0 }

/// The folder with the scripts that start outside programs.
let outsideFolder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Outside"

/// The package's folder of Python packages, in which `Tests/Setup/python-packages` installs them.
let pythonFolder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/.build-python"

/// The bytes of a file; nil if it cannot be read.
func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
  return bytes
}

/// Calls `body` with a temporary file of these bytes.
func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
  var name = Array("/tmp/momu-midi.XXXXXX".utf8CString)
  let file = fdopen(mkstemp(&name), "w")
  fwrite(bytes, 1, bytes.count, file)
  if let file { fclose(file) }
  let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { unlink(path) }
  return try body(path)
}
