extension Motion {
  /// The earlier name of `strike`.
  @available(*, deprecated, renamed: "strike")
  public var jerk: Float? {
    get { strike }
    set { strike = newValue }
  }
}
