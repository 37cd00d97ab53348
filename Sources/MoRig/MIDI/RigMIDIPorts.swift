import MIDICore
import MoCore
import MoRuntime

/// The MIDI ports of a program that runs rigs.
package protocol RigMIDIPorts: Sendable {
  /// Opens a port for sending; if the port is missing, waits for it in the background.
  ///
  /// - Parameters:
  ///   - name: the name of the port, in a form that the option `--midi-out` accepts.
  ///   - returned: called on any thread when the port appears: the first time, and each time it returns.
  /// - Throws: an error whose text says what to type.
  func open(
    _ name: String, in run: Run, returned: @escaping @Sendable () -> Void
  ) throws -> any RigMIDIPort

  /// Returns why a port cannot be used now, and whether waiting for a device will help; nil if the port can be used.
  func trouble(with name: String) -> (text: String, isWaiting: Bool)?
}

/// An open port.
///
/// - Thread: any.
package protocol RigMIDIPort: Sendable {
  /// Sends a message without blocking.
  func send(_ message: MIDIMessage, at time: HostTime)

  /// Releases sounding notes and closes the port.
  func close()
}

extension Rig {
  private static let ports = Locked<(any RigMIDIPorts)?>(nil)

  /// The program's MIDI ports; nil for a program without any, such as `momu-rig`.
  package static var midi: (any RigMIDIPorts)? {
    get { ports.withLock { $0 } }
    set { ports.withLock { $0 = newValue } }
  }
}
