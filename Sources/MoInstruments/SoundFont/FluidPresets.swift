import Glibc

/// The functions of FluidSynth that find the instruments (presets) of a SoundFont.
///
/// - Source: <https://www.fluidsynth.org/api/>.
struct FluidPresets: Sendable {
  /// An instrument of a SoundFont.
  struct Preset: Sendable {
    var bank: Int32
    var number: Int32
    var name: String
  }

  private typealias Found = @convention(c) (OpaquePointer, Int32) -> OpaquePointer?
  private typealias Next = @convention(c) (OpaquePointer) -> OpaquePointer?
  private typealias Number = @convention(c) (OpaquePointer) -> Int32
  private typealias Text = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
  private typealias Select = @convention(c) (OpaquePointer, Int32, Int32, Int32, Int32) -> Int32

  private let current: Found
  private let font: Found
  private let begin: @convention(c) (OpaquePointer) -> Void
  private let next: Next
  private let bank: Number
  private let number: Number
  private let name: Text
  private let select: Select

  /// - Parameter library: the result of `dlopen`.
  init?(_ library: UnsafeMutableRawPointer) {
    func function<Function>(_ name: String, as kind: Function.Type) -> Function? {
      dlsym(library, "fluid_" + name).map { unsafeBitCast($0, to: kind) }
    }
    guard let current = function("synth_get_channel_preset", as: Found.self),
      let font = function("synth_get_sfont_by_id", as: Found.self),
      let begin = function("sfont_iteration_start", as: (@convention(c) (OpaquePointer) -> Void).self),
      let next = function("sfont_iteration_next", as: Next.self),
      let bank = function("preset_get_banknum", as: Number.self),
      let number = function("preset_get_num", as: Number.self),
      let name = function("preset_get_name", as: Text.self),
      let select = function("synth_program_select", as: Select.self)
    else { return nil }
    (self.current, self.font, self.begin, self.next) = (current, font, begin, next)
    (self.bank, self.number, self.name, self.select) = (bank, number, name, select)
  }

  /// Returns whether the first channel of a synth has an instrument; without an instrument, it is silent.
  func hasInstrument(_ synth: OpaquePointer) -> Bool { current(synth, 0) != nil }

  /// Returns the first instrument of a loaded SoundFont; nil if the SoundFont has none.
  func first(_ synth: OpaquePointer, font id: Int32) -> Preset? {
    guard let font = font(synth, id) else { return nil }
    begin(font)
    return next(font).map { preset in
      Preset(bank: bank(preset), number: number(preset), name: name(preset).map { String(cString: $0) } ?? "")
    }
  }

  /// Gives the first channel of a synth an instrument of a loaded SoundFont.
  func choose(_ preset: Preset, _ synth: OpaquePointer, font id: Int32) {
    _ = select(synth, 0, id, preset.bank, preset.number)
  }
}
