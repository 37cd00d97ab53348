#if STK
  extension StkKind {
    /// The earlier name of `strikePitch`.
    @available(*, deprecated, renamed: "strikePitch")
    public static var strokePitch: Float { strikePitch }

    /// The earlier name of `strikeControl`.
    @available(*, deprecated, renamed: "strikeControl")
    public static var strokeControl: Control? { strikeControl }
  }
#endif
