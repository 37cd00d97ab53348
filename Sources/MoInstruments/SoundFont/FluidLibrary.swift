import Glibc

/// The functions of FluidSynth that MoMu uses, loaded at run time if the library is installed.
///
/// - Source: <https://www.fluidsynth.org/api/>.
struct FluidLibrary: Sendable {
  typealias Made = @convention(c) () -> OpaquePointer?
  typealias MadeFrom = @convention(c) (OpaquePointer) -> OpaquePointer?
  typealias Ended = @convention(c) (OpaquePointer) -> Void
  typealias SetNumber = @convention(c) (OpaquePointer, UnsafePointer<CChar>, Double) -> Int32
  typealias SetWhole = @convention(c) (OpaquePointer, UnsafePointer<CChar>, Int32) -> Int32
  typealias Load = @convention(c) (OpaquePointer, UnsafePointer<CChar>, Int32) -> Int32
  typealias OneValue = @convention(c) (OpaquePointer, Int32) -> Int32
  typealias TwoValues = @convention(c) (OpaquePointer, Int32, Int32) -> Int32
  typealias ThreeValues = @convention(c) (OpaquePointer, Int32, Int32, Int32) -> Int32
  typealias Write =
    @convention(c) (
      OpaquePointer, Int32, UnsafeMutableRawPointer, Int32, Int32, UnsafeMutableRawPointer, Int32, Int32
    ) -> Int32
  typealias SetLog = @convention(c) (Int32, UnsafeRawPointer?, UnsafeMutableRawPointer?) -> UnsafeRawPointer?

  let newSettings: Made
  let deleteSettings: Ended
  let setNumber: SetNumber
  let setWhole: SetWhole
  let newSynth: MadeFrom
  let deleteSynth: Ended
  let load: Load
  let noteOn: ThreeValues
  let noteOff: TwoValues
  let control: ThreeValues
  let program: TwoValues
  let bend: TwoValues
  let bendRange: TwoValues
  let allOff: OneValue
  let write: Write
  let presets: FluidPresets
  private let setCores: (@convention(c) (Int32) -> Void)?

  /// FluidSynth, loaded at the first use and kept until the program ends; nil if it is not installed or lacks a needed
  /// function.
  static let loaded = FluidLibrary(name: "libfluidsynth.so.3")

  init?(name: String) {
    guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    func function<Function>(_ name: String, as kind: Function.Type) -> Function? {
      dlsym(library, "fluid_" + name).map { unsafeBitCast($0, to: kind) }
    }
    func maker<Function>(_ name: String, as kind: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: kind) }
    }
    guard let newSettings = maker("new_fluid_settings", as: Made.self),
      let deleteSettings = maker("delete_fluid_settings", as: Ended.self),
      let newSynth = maker("new_fluid_synth", as: MadeFrom.self),
      let deleteSynth = maker("delete_fluid_synth", as: Ended.self),
      let setNumber = function("settings_setnum", as: SetNumber.self),
      let setWhole = function("settings_setint", as: SetWhole.self),
      let load = function("synth_sfload", as: Load.self),
      let noteOn = function("synth_noteon", as: ThreeValues.self),
      let noteOff = function("synth_noteoff", as: TwoValues.self),
      let control = function("synth_cc", as: ThreeValues.self),
      let program = function("synth_program_change", as: TwoValues.self),
      let bend = function("synth_pitch_bend", as: TwoValues.self),
      let bendRange = function("synth_pitch_wheel_sens", as: TwoValues.self),
      let allOff = function("synth_all_notes_off", as: OneValue.self),
      let write = function("synth_write_float", as: Write.self),
      let setLog = function("set_log_function", as: SetLog.self),
      let presets = FluidPresets(library)
    else { return nil }
    self.newSettings = newSettings
    self.deleteSettings = deleteSettings
    self.setNumber = setNumber
    self.setWhole = setWhole
    self.newSynth = newSynth
    self.deleteSynth = deleteSynth
    self.load = load
    self.noteOn = noteOn
    self.noteOff = noteOff
    self.control = control
    self.program = program
    self.bend = bend
    self.bendRange = bendRange
    self.allOff = allOff
    self.write = write
    self.presets = presets
    setCores = maker("omp_set_num_threads", as: (@convention(c) (Int32) -> Void).self)
    // Its own log is off, because MoMu reports errors: panic, error, warning, information, debugging.
    for level in Int32(0)..<5 { _ = setLog(level, nil, nil) }
    readyTables()
  }

  /// Creates and deletes a synth, so that FluidSynth fills the tables that all synths of the process share.
  ///
  /// Otherwise two threads could create the first two synths at the same time. One of these synths could then use
  /// unfilled tables, and sound wrong as long as it exists.
  private func readyTables() {
    guard let settings = newSettings() else { return }
    if let synth = newSynth(settings) { deleteSynth(synth) }
    deleteSettings(settings)
  }

  /// Keeps FluidSynth's work on the calling thread.
  ///
  /// Debian builds FluidSynth with OpenMP. Without this call, such a library would divide each step of 64 frames among
  /// all cores, and the cores would spin between two steps.
  func useOneCore() { setCores?(1) }
}

/// A FluidSynth synthesiser with one SoundFont.
///
/// The class is `@unchecked Sendable`, because FluidSynth's own locking is off: threads may create, use and release a
/// synth only one after the other.
final class FluidSynth: @unchecked Sendable {
  let library: FluidLibrary
  private let synth: OpaquePointer
  private let settings: OpaquePointer
  /// The number of the loaded SoundFont.
  private let font: Int32
  /// The first instrument of the SoundFont, which replaces each instrument that the SoundFont lacks.
  private let first: FluidPresets.Preset?
  /// The instrument that replaces instrument 0 of bank 0; nil if the SoundFont has this instrument.
  let replacement: FluidPresets.Preset?

  /// The sample rates of FluidSynth, in Hz; at other rates, the pitch would be wrong.
  static let rates = 8_000.0...96_000.0

  /// Creates a synthesiser and loads a SoundFont.
  ///
  /// - Parameter sampleRate: in Hz, within `rates`.
  /// - Returns: nil if FluidSynth cannot read the file.
  init?(path: String, sampleRate: Double, library: FluidLibrary) {
    guard let settings = library.newSettings() else { return nil }
    _ = library.setNumber(settings, "synth.sample-rate", sampleRate)
    _ = library.setNumber(settings, "synth.gain", 1)
    _ = library.setWhole(settings, "synth.threadsafe-api", 0)
    _ = library.setWhole(settings, "synth.chorus.active", 0)
    _ = library.setWhole(settings, "synth.polyphony", 128)
    guard let synth = library.newSynth(settings) else {
      library.deleteSettings(settings)
      return nil
    }
    (self.library, self.settings, self.synth) = (library, settings, synth)
    font = library.load(synth, path, 1)
    first = font >= 0 ? library.presets.first(synth, font: font) : nil
    replacement = library.presets.hasInstrument(synth) ? nil : first
    guard font >= 0 else { return nil }
    replaceMissing()
    _ = library.bendRange(synth, 0, 24)
  }

  deinit {
    library.deleteSynth(synth)
    library.deleteSettings(settings)
  }

  func execute(_ command: FluidThread.Command) {
    switch command.kind {
    case .noteOn: _ = library.noteOn(synth, 0, command.first, command.second)
    case .noteOff: _ = library.noteOff(synth, 0, command.first)
    case .pedal: _ = library.control(synth, 0, 64, command.first)
    case .preset:
      _ = library.program(synth, 0, command.first)
      replaceMissing()
    case .bend: _ = library.bend(synth, 0, command.first)
    case .allOff: _ = library.allOff(synth, 0)
    }
  }

  /// Chooses the first instrument if the SoundFont lacks the chosen instrument, since the synth would be silent.
  private func replaceMissing() {
    guard let first, !library.presets.hasInstrument(synth) else { return }
    library.presets.choose(first, synth, font: font)
  }

  /// Renders the next frames into `samples`, with left and right samples interleaved: `2 * frames` values.
  func write(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    _ = library.write(synth, Int32(frames), samples, 0, 2, samples, 1, 2)
  }
}
