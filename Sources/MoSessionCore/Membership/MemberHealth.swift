/// What a member says of its machine when it is asked before a concert.
public struct MemberHealth: Hashable, Sendable {
  /// By what a machine is on the network.
  public enum Link: Int32, Hashable, Sendable, CaseIterable {
    /// The kernel does not tell.
    case unknown = 0
    case wire = 1
    case wireless = 2
    /// Cable and Wi-Fi at once.
    case both = 3
  }

  /// Which release of MoMu it runs; cut to 40 characters.
  public var release: String
  /// By what it is on the network.
  public var link = Link.unknown
  /// Whether it makes sound.
  public var isSounding = false
  /// Whether the delay of its sound device was given or measured.
  public var isTrimmed = false
  /// Milliseconds by which its sound device is taken to sound too late.
  public var trim: Float = 0
  /// The part of its time that the sound takes: 1 is all there is.
  public var soundLoad: Float = 0
  /// Tasks that run or wait on its machine, for each processor core, over the last minute.
  public var machineLoad: Float = 0
  /// How often its sound device ran dry in the last minute.
  public var underruns: Int32 = 0

  /// Of a machine of which nothing else is known yet.
  public init(release: String) { self.release = SessionIdentity.tidy(release) }
}

/// The release of MoMu.
public enum MoMuRelease {
  /// This one.
  public static let current = "1"
}
