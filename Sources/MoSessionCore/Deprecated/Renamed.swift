extension SessionAim {
  /// The earlier name of `member`.
  @available(*, deprecated, renamed: "member(_:)")
  public static func named(_ name: String) -> SessionAim { .member(name) }
}
