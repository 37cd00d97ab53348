import Glibc
import Synchronization

/// The terminal as a keyboard: every key at once and unseen, and the terminal as it was afterwards.
///
/// Ctrl-C stays what it is.
enum KeyboardTerminal {
  private static let saved = Mutex<termios?>(nil)

  /// Whether standard input is a terminal that this program may read: one in the background may not.
  static var isAvailable: Bool { isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Begins to take keys; false where that is not possible.
  static func open() -> Bool {
    guard isAvailable else { return false }
    return saved.withLock { saved in
      guard saved == nil else { return true }
      var settings = termios()
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
      saved = settings
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      atexit { KeyboardTerminal.restore() }
      return tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
    }
  }

  /// Gives the terminal back as it was; safe to call again.
  static func restore() {
    saved.withLock { saved in
      guard var settings = saved else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      saved = nil
    }
  }
}
