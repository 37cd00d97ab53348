/// An error in playing a SoundFont; its text says what happened and what to type.
public enum SoundFontError: Error, CustomStringConvertible, Equatable {
  /// The file cannot be opened.
  case cannotOpen(path: String, reason: String)
  /// The file is not a SoundFont.
  case notSoundFont(path: String)
  /// The file begins like a SoundFont, but FluidSynth cannot read it.
  case damaged(path: String)
  /// FluidSynth is not installed.
  case needsLibrary

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason):
      "cannot open the SoundFont \(path): \(reason); to install a small one, type sudo apt install timgm6mb-soundfont, "
        + "then --soundfont /usr/share/sounds/sf2/TimGM6mb.sf2"
    case .notSoundFont(let path):
      "\(path) is not a SoundFont: choose a SoundFont file, whose name ends in .sf2 or .sf3"
    case .damaged(let path): "\(path) is damaged: FluidSynth cannot read it; choose another file"
    case .needsLibrary:
      "SoundFonts need FluidSynth: install it with sudo apt install libfluidsynth3, or play without --soundfont"
    }
  }
}
