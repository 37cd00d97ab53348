import MoCore

/// Members on different machines that have one installation, as those whose disks or homes are copies.
///
/// Gates, sections, `--conductor-only` and what is ignored go by installations.
public struct SharedInstallation: Hashable, Sendable {
  /// Which they share.
  public var installation: MemberID
  /// Who they are, by their identities.
  public var members: [MemberID]
}
