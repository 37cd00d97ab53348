import Glibc

/// A FluidSynth synthesiser with one SoundFont.
///
/// The class is `@unchecked Sendable`, because FluidSynth's own locking is off: threads may create, use and release a
/// synth only one after the other.
final class FluidSynth: @unchecked Sendable {
  let library: FluidLibrary
  private let synth: OpaquePointer
  private let settings: OpaquePointer

  /// Creates a synthesiser and loads a SoundFont.
  ///
  /// - Parameter sampleRate: in Hz; clamped to FluidSynth's range, 8,000 to 96,000.
  /// - Returns: nil if FluidSynth cannot read the file.
  init?(path: String, sampleRate: Double, library: FluidLibrary) {
    guard let settings = library.newSettings() else { return nil }
    // The range of FluidSynth; at rates outside it, the pitch is wrong.
    _ = library.setNumber(settings, "synth.sample-rate", max(8_000, min(sampleRate, 96_000)))
    _ = library.setNumber(settings, "synth.gain", 1)
    _ = library.setWhole(settings, "synth.threadsafe-api", 0)
    _ = library.setWhole(settings, "synth.chorus.active", 0)
    _ = library.setWhole(settings, "synth.polyphony", 128)
    guard let synth = library.newSynth(settings) else {
      library.deleteSettings(settings)
      return nil
    }
    (self.library, self.settings, self.synth) = (library, settings, synth)
    guard library.load(synth, path, 1) >= 0 else { return nil }
    _ = library.bendRange(synth, 0, 24)
  }

  deinit {
    library.deleteSynth(synth)
    library.deleteSettings(settings)
  }

  func obey(_ command: FluidThread.Command) {
    switch command.kind {
    case .noteOn: _ = library.noteOn(synth, 0, command.first, command.second)
    case .noteOff: _ = library.noteOff(synth, 0, command.first)
    case .pedal: _ = library.control(synth, 0, 64, command.first)
    case .preset: _ = library.program(synth, 0, command.first)
    case .bend: _ = library.bend(synth, 0, command.first)
    case .allOff: _ = library.allOff(synth, 0)
    }
  }

  /// Renders the next frames into `samples`, with left and right samples interleaved: `2 * frames` values.
  func write(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    _ = library.write(synth, Int32(frames), samples, 0, 2, samples, 1, 2)
  }
}
