import MoDSP
import MoTime

// Stand-ins until the real ones land; delete the matching lines with them.
final class InputLoop: Sendable {
  init(clock: any TimeSource) {}
  var isFinite: Bool { false }
  var nextTime: HostTime? { nil }
  func service(until now: HostTime) {}
}
final class AccelServer: Sendable {
  static let shared = AccelServer()
  var strikes: (count: Int, lastForce: Float) { (0, 0) }
  static func devices() -> [NamedDevice] { [] }
}
/// A.
public enum MoAccel {
  static func stop() {}
  /// B.
  public static func addCallback(_ f: @escaping @Sendable (Motion) -> Void) throws {}
}
enum KeyboardTerminal { static func restore() {} }
