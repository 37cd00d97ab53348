extension PackageTemplate {
  /// The source of the program that plays the instrument.
  var main: String {
    """
    import MoConsole

    MoApp.playTogether(\(name.type).self)

    """
  }
}
