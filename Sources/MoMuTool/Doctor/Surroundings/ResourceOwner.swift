/// A program that has something to itself: a port, a sound card, a serial line.
struct ResourceOwner: Equatable, CustomStringConvertible {
  var name: String
  var process: Int

  /// `oscdump (process 1234)`.
  var description: String { "\(name) (process \(process))" }
}
