extension PackageTemplate {
  /// The program that plays it.
  var main: String {
    """
    import MoOrchestra

    MoApp.playTogether(\(name.type).self)

    """
  }
}
