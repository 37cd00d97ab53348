extension PackageTemplate {
  /// The source of the program that plays the instrument.
  var main: String {
    """
    import MoOrchestra

    MoApp.playTogether(\(name.type).self)

    """
  }
}
