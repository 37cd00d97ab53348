/// A phone and the app that it runs.
struct PhoneName: Hashable, Sendable, CustomStringConvertible {
  let layout: PhoneLayout
  /// The sender's address, without the port: some apps use a new port for each message.
  let host: String
  /// The app's name for the phone, if it has one.
  let device: String

  /// The kind of device, for the user: a sender of MoMu's own messages is not a phone.
  var kind: String { layout == .momu ? "rig" : "phone" }

  var description: String { "\(layout.title) at \(host)" }
}
