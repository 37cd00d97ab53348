/// The output of `momu doctor --limits`: real-time priority and locked memory for the group audio.
enum LimitsFile {
  static let path = "/etc/security/limits.d/60-momu.conf"

  /// The command that installs the limits file.
  static let installing = "momu doctor --limits | sudo tee \(path)"

  /// The real-time priority that the audio thread requests, and the memory that the file lets a program lock, in KiB.
  ///
  /// The audio thread locks its stack and its buffers.
  static let (priority, lockedKiB) = (4, 65_536)

  /// The number of bytes that the audio thread must at least be able to lock: 4 MiB.
  static let leastLocked = 4 << 20

  static let text = """
    # MoMu: the group audio may use real-time priority and lock memory.
    # sudo tee /etc/security/limits.d/60-momu.conf, then log out and log in again.
    @audio - rtprio 95
    @audio - memlock \(lockedKiB)

    """
}
