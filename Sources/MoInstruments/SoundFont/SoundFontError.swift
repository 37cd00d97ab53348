/// An error of playing a SoundFont; its text says what happened and what to type.
public enum SoundFontError: Error, CustomStringConvertible, Equatable {
  /// The file could not be opened.
  case cannotOpen(path: String, reason: String)
  /// The file is not a SoundFont.
  case notSoundFont(path: String)
  /// The file begins as a SoundFont does, but FluidSynth cannot read it.
  case damaged(path: String)
  /// FluidSynth is not installed.
  case needsLibrary

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason):
      "cannot open the SoundFont \(path): \(reason); a small one comes with sudo apt install timgm6mb-soundfont: "
        + "--soundfont /usr/share/sounds/sf2/TimGM6mb.sf2"
    case .notSoundFont(let path):
      "\(path) is no SoundFont: those are files that end in .sf2 or .sf3, and this one does not begin as they do"
    case .damaged(let path): "\(path) is damaged: FluidSynth cannot read it"
    case .needsLibrary:
      "SoundFonts need FluidSynth: install it with sudo apt install libfluidsynth3, or play without --soundfont"
    }
  }
}
