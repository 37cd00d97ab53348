/// Something that an option can name.
package struct NamedDevice: Equatable, Sendable {
  /// Exactly what the option takes.
  package var name: String
  /// What it is, in words.
  package var about: String
  /// Whether it is a device of this machine, not one of the package's own.
  package var isReal: Bool
  /// Whether this user may open it.
  package var isOpen: Bool

  package init(name: String, about: String, isReal: Bool, isOpen: Bool = true) {
    self.name = name
    self.about = about
    self.isReal = isReal
    self.isOpen = isOpen
  }
}
