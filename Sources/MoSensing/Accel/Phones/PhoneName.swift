/// A phone and the app that it runs.
struct PhoneName: Hashable, Sendable, CustomStringConvertible {
  let layout: PhoneLayout
  /// The address that it sends from, without the port: some apps take a new port for each message.
  let host: String
  /// What the app calls the phone, if it does.
  let device: String

  /// What it is for whoever holds it: what sends MoMu's own messages is no phone.
  var kind: String { layout == .momu ? "rig" : "phone" }

  var description: String { "\(layout.title) at \(host)" }
}
