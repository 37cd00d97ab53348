import MoOrchestra

extension MemberID {
  /// The text for a member without a known name, such as a hidden one; four digits distinguish two of them.
  var unlisted: String { "a hidden member (\(description.prefix(4)))" }
}
