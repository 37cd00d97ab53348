import MoOrchestra

extension MemberID {
  /// What is said of somebody whose name was never heard, as of who takes part hidden: four digits tell two such apart.
  var unlisted: String { "somebody hidden (\(description.prefix(4)))" }
}
