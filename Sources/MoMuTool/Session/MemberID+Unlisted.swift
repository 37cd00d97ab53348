import MoOrchestra

extension MemberID {
  /// The text for a member whose name is unknown, such as a hidden member; it contains the first four digits of the ID,
  /// to distinguish several such members.
  var unlisted: String { "a hidden member (\(description.prefix(4)))" }
}
