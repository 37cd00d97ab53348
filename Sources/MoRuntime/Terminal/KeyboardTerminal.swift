import CMoSystem
import Glibc
import MoCore

/// The terminal as a keyboard: every key at once and unseen, and the terminal as it was afterwards, whether the
/// program ends, is stopped, or crashes.
///
/// Ctrl-C and Ctrl-Z stay what they are.
package enum KeyboardTerminal {
  private static let isOpen = Locked(false)

  /// What must happen once: the terminal is given back by a program that just ends.
  private static let atExit: Void = { atexit { KeyboardTerminal.restore() } }()

  /// Whether standard input is a terminal that this program may read: one in the background may not.
  package static var isAvailable: Bool { isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Begins to take keys; false where that is not possible.
  package static func open() -> Bool {
    guard isAvailable else { return false }
    return isOpen.withLock { isOpen in
      _ = atExit
      isOpen = momu_keyboard_open(STDIN_FILENO) == 0
      return isOpen
    }
  }

  /// Gives the terminal back as it was; safe to call again.
  package static func restore() {
    isOpen.withLock { isOpen in
      if isOpen { momu_keyboard_restore() }
      isOpen = false
    }
  }
}
