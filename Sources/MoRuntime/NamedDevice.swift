/// A device that an option can name.
package struct NamedDevice: Equatable, Sendable {
  /// The exact text that the option accepts.
  package var name: String
  /// A description in words.
  package var about: String
  /// Whether the device belongs to this machine, and is not a source that the package provides.
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
