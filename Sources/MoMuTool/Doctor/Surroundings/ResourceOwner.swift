/// A program that uses a port, a sound card or a serial port.
struct ResourceOwner: Equatable, CustomStringConvertible {
  var name: String
  var process: Int

  /// The name and the process ID: `oscdump (process 1234)`.
  var description: String { "\(name) (process \(process))" }
}
