/// A device, or another source or output, that the user can choose with an option such as `--audio` or `--accel`.
package struct NamedDevice: Equatable, Sendable {
  /// The text that the user types after the option, such as `hw:1` or `sim:shake`.
  package var name: String
  /// The description that the list of devices shows beside the name.
  package var about: String
  /// Whether this is a device of this machine; false for a choice that MoMu itself provides, such as `sim:shake`.
  package var isReal: Bool
  /// Whether this user may open the device.
  package var isOpen: Bool

  package init(name: String, about: String, isReal: Bool, isOpen: Bool = true) {
    self.name = name
    self.about = about
    self.isReal = isReal
    self.isOpen = isOpen
  }
}
