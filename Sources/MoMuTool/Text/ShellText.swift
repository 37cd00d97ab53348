/// Texts that the user can type into a shell.
enum ShellText {
  /// Returns a text as one word of a shell: in single quotes, if the shell would change or split the text.
  static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "._-+:@%/,".contains($0) }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// Returns the command that starts a program of a room, such as `momu session gestures --room Lab`.
  static func command(_ program: String, room: String, isLocked: Bool) -> String {
    "momu session \(program) --room \(word(room))" + (isLocked ? " --passkey KEY" : "")
  }
}
