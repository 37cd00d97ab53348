/// What `momu doctor --limits` prints: how much the group audio may have of the processor and of memory.
enum LimitsFile {
  static let path = "/etc/security/limits.d/60-momu.conf"

  /// What installs it.
  static let installing = "momu doctor --limits | sudo tee \(path)"

  /// The priority that the audio thread asks for, and kibibytes of which it locks its stack and buffers.
  static let (priority, lockedKiB) = (4, 65_536)

  /// Less than this many bytes is too little for the audio thread.
  static let leastLocked = 4 << 20

  static let text = """
    # MoMu: the group audio may run its audio threads before others, and keep its memory from being swapped out.
    # sudo tee /etc/security/limits.d/60-momu.conf, then log out and in again.
    @audio - rtprio 95
    @audio - memlock \(lockedKiB)

    """
}
