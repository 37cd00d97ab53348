import CMoSystem
import Glibc
import MoCore

/// The terminal in keyboard mode: every key arrives immediately and without echo.
///
/// The terminal is restored afterwards, whether the program ends, is stopped, or crashes.
///
/// Ctrl-C and Ctrl-Z keep their meaning.
package enum KeyboardTerminal {
  private static let isOpen = Locked(false)

  /// Registers, at the first access, a function that restores the terminal when the program ends.
  private static let atExit: Void = { atexit { KeyboardTerminal.restore() } }()

  /// Whether standard input is a terminal that this program may read: a program in the background may not.
  package static var isAvailable: Bool { isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Puts the terminal into keyboard mode; returns false if that is not possible.
  package static func open() -> Bool {
    guard isAvailable else { return false }
    return isOpen.withLock { isOpen in
      _ = atExit
      isOpen = momu_keyboard_open(STDIN_FILENO) == 0
      return isOpen
    }
  }

  /// Restores the terminal; safe to call again.
  package static func restore() {
    isOpen.withLock { isOpen in
      if isOpen { momu_keyboard_restore() }
      isOpen = false
    }
  }
}
