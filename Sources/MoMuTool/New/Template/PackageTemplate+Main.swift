extension PackageTemplate {
  /// The program that plays it.
  var main: String {
    """
    import MoInstruments

    MoApp.play(\(name.type).self)

    """
  }
}
