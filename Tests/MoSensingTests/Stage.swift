import Glibc
import MoCore
import MoRuntime
import MoSensing

/// A run with offline time, and the readings of a sensor in it.
func offlineRun(_ set: (inout RunOptions) -> Void = { _ in }) -> Run {
  var options = RunOptions()
  options.offline = true
  options.quiet = true
  set(&options)
  return Run(options)
}

/// Advances a run's time from one due moment to the next.
func play(_ run: Run, seconds: Double) {
  let end = HostTime(seconds: seconds)
  while let next = run.input.nextTime, next <= end { run.input.service(until: next) }
}

/// All received values, for checks afterwards.
final class Collected<Value: Sendable>: Sendable {
  private let values = Locked<[Value]>([])
  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}

/// A folder of small files, as in sysfs, removed with its owner.
final class FakeFolder {
  let path: String

  init(_ files: [String: String]) {
    path = "/tmp/momu-fake-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    mkdir(path, 0o700)
    for (name, text) in files { write(name, text) }
  }

  func write(_ name: String, _ text: String) {
    let folders = name.split(separator: "/").dropLast()
    var folder = path
    for part in folders {
      folder += "/\(part)"
      mkdir(folder, 0o700)
    }
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let bytes = Array((text + "\n").utf8)
    _ = Glibc.write(file, bytes, bytes.count)
    close(file)
  }

  func remove(_ name: String) { unlink("\(path)/\(name)") }

  deinit { FakeFolder.removeAll(path) }

  private static func removeAll(_ path: String) {
    for name in SystemFiles.names(in: path) { removeAll("\(path)/\(name)") }
    if unlink(path) != 0 { rmdir(path) }
  }
}
