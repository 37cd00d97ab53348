import MIDICore
import MoMIDI
import MoMu
import MoRig

/// The access to MIDI ports for `momu rig`; the module MoRig itself cannot open MIDI ports.
struct ToolMIDIPorts: RigMIDIPorts {
  func open(
    _ name: String, in run: Run, returned: @escaping @Sendable () -> Void
  ) throws -> any RigMIDIPort {
    let server = MIDIServer(clientName: "MoMu rig")
    server.events.add { event in if case .sending = event { returned() } }
    try server.startOutput(target: name, in: run)
    return Port(server: server, run: run)
  }

  func trouble(with name: String) -> (text: String, isWaiting: Bool)? {
    do throws(MIDIError) {
      try MIDIServer(clientName: "MoMu rig").check(target: name)
      return nil
    } catch {
      if case .noPort = error { return ("now it would wait: \(error)", true) }
      return ("\(error)", false)
    }
  }

  private struct Port: RigMIDIPort {
    let server: MIDIServer
    let run: Run

    func send(_ message: MIDIMessage, at time: HostTime) {
      // A full queue drops the message, as a cable would.
      try? server.send(.message(message), at: time, in: run)
    }

    func close() { server.stop() }
  }
}
