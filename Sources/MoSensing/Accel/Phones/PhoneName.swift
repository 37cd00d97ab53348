/// A phone and the app that it runs.
struct PhoneName: Hashable, Sendable, CustomStringConvertible {
  let layout: PhoneLayout
  /// The sender's address, without the port: some apps use a new port for each message.
  let host: String
  /// The name that the app gives to the phone; empty if the app sends no name.
  let device: String

  /// The kind of device in texts for the user: `phone`, or `rig` for a sender of MoMu's own messages.
  var kind: String { layout == .momu ? "rig" : "phone" }

  var description: String { "\(layout.title) at \(host)" }
}
