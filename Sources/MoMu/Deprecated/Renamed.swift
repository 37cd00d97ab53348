import MoRuntime

extension MoApp {
  /// Returns the value of an environment variable.
  ///
  /// - Returns: the variable's text, or `default` if the variable is not set or empty.
  /// - Thread: any but the audio thread's callback.
  @available(*, deprecated, message: "declare an option: MoOption(\"kit\", \"FOLDER\", \"your sounds\")")
  public static func environment(_ name: String, default text: String) -> String {
    guard let value = Run.environment()[name], !value.isEmpty else { return text }
    return value
  }
}
