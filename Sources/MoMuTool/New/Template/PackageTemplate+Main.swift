extension PackageTemplate {
  /// The program that plays it.
  var main: String {
    """
    import MoEnsemble

    MoApp.playTogether(\(name.type).self)

    """
  }
}
