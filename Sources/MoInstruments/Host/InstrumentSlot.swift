import CMoSystem
import MoCore
import MoDSP
import MoMu
import Synchronization

/// An instrument's slot on the bus: the components for the instrument's events, parameters, grid, loop and fades.
///
/// Each component has its own storage. `TypedInstrumentSlot` holds the instrument itself; this class is independent of
/// the instrument's type.
///
/// - Thread: any thread may use the components that are constants, and the atomics; all other members belong to the
///   rendering thread.
@usableFromInline
package class InstrumentSlot: @unchecked Sendable {
  // Unchecked: the variables belong to the rendering thread.
  package let sheet: InstrumentInfo
  /// The name in addresses; two instruments of the same type have different names, such as `drum` and `drum-2`.
  package let name: String

  /// The notes that the instrument plays by itself; nil for an instrument that plays none.
  package let madeNotes: MadeNotes?

  // All values that cannot be copied are final: a virtual accessor of one allocates.
  final let bank: ParameterBank
  package final let inbox = SlotInbox()
  final let tapPlace = TapPlace()
  final let loop = LoopControl()
  /// The grid to whose lines the instrument's notes and strikes are moved; nil for none.
  let wantedGrid = LatestValue<Quantiser?>(nil)
  /// The lock for writes of `wantedGrid`, which allows only one writer at a time.
  private let gridLock = Locked(())
  /// The mapping from movement to parameters and notes, with its state; not for the audio thread.
  let mapper: Locked<MotionMapper>
  /// The number of notes that `playNote` has played; each of these notes gets an ID from this number.
  let lengths = Atomic<Int32>(0)
  /// The largest magnitude of a sample since the last `takePeak`, as the bit pattern of a `Float`.
  ///
  /// Bit patterns of numbers that are not negative have the same order as the numbers, so an integer maximum suffices.
  let peak = Atomic<UInt32>(0)
  /// The same for `takeShownPeak`.
  let shownPeak = Atomic<UInt32>(0)
  /// Whether the instrument must fade out; a flag instead of an event, because the inbox may be full.
  let isLeaving = Atomic<Bool>(false)
  /// Whether the instrument has faded out and the slot can be released.
  let hasFinished = Atomic<Bool>(false)

  /// The sequencer, which decides at which time each event is heard.
  final var sequencer: Sequencer
  final var gridFollower: GridFollower
  final var fade = SlotFade()
  /// The factor from the level in the mix, which a replayed room sets, beside the user's loudness.
  final var level = ControlGlide(1)
  /// The notes that are currently held.
  final var held = HeldNotes()
  /// A pointer to the slot that this slot replaces at this slot's first rendering; nil for none.
  final var predecessor: UnsafeRawPointer?
  /// A buffer for up to 32 frames of the instrument's sound, two channels, interleaved.
  final let scratch: UnsafeMutableBufferPointer<Float>
  private(set) final var sampleRate: Double
  /// The error in the mapping of the sheet, nil if the mapping is valid; with an error, movement plays nothing.
  let mappingError: MappingError?

  init(
    sheet: InstrumentInfo, name: String, controls: [Parameter], sampleRate: Double,
    madeNotes: MadeNotes? = nil
  ) {
    self.sheet = sheet
    self.madeNotes = madeNotes
    self.name = name
    self.sampleRate = sampleRate
    bank = ParameterBank(controls, sampleRate: sampleRate)
    do throws(MappingError) {
      mapper = Locked(
        MotionMapper(try Mapping(sheet.mapping, parameters: bank.parameters.map(\.name))))
      mappingError = nil
    } catch {
      mapper = Locked(MotionMapper(Mapping()))
      mappingError = error
    }
    gridFollower = GridFollower(own: sheet.grid.map { SwungSteps($0) })
    sequencer = Sequencer(capacity: 1024, hasOwnGrid: sheet.grid != nil)
    scratch = .allocate(capacity: 2 * ControlGlide.period)
    scratch.initialize(repeating: 0)
    fit(sampleRate: sampleRate)
  }

  deinit { scratch.deallocate() }

  /// Prepares the slot for a sample rate, before any sound is heard.
  func fit(sampleRate: Double) {
    self.sampleRate = sampleRate
    bank.prepare(sampleRate: sampleRate)
  }

  // Overridden for each type of instrument.
  func deliver(_ event: InstrumentEvent) {}
  var swing: Double { 0 }
  func renderScratch(frames: Int, position: Int64, time: HostTime) -> Bool { false }
}

extension InstrumentSlot {
  /// The instrument's own parameters, then loudness.
  package final var parameters: [Parameter] { bank.parameters }

  /// The grid to whose lines the instrument's notes and strikes are moved; nil for none.
  final var grid: Quantiser? {
    get { wantedGrid.load() }
    set { gridLock.withLock { _ in wantedGrid.store(newValue) } }
  }

  /// Returns the observer of the instrument's events; the first call creates the observer with `make`.
  package final func tap(_ make: () -> EventTap) -> EventTap { tapPlace.tap(make) }

  /// Whether the instrument is shared with a room, so that other members also play its events.
  final var isShared: Bool { tapPlace.isShared }

  /// Returns the largest magnitude of a sample since the last call of `takePeak`.
  final func takePeak() -> Float { Float(bitPattern: peak.exchange(0, ordering: .relaxed)) }

  /// Returns the largest magnitude of a sample since the last call of `takeShownPeak`, for the picture of a console.
  ///
  /// A console draws at its own rate, and must not take peaks from the program's calls of `takePeak`.
  package final func takeShownPeak() -> Float {
    Float(bitPattern: shownPeak.exchange(0, ordering: .relaxed))
  }

  /// Makes the instrument fade out and leave the bus.
  final func leave() { isLeaving.store(true, ordering: .releasing) }

  /// Whether the instrument has faded out and the slot can be released.
  final var hasLeft: Bool { hasFinished.load(ordering: .acquiring) }
}

/// A slot of the bus that holds an instrument of the type `Sound`.
@usableFromInline
package final class TypedInstrumentSlot<Sound: Instrument>: InstrumentSlot, @unchecked Sendable {
  // Unchecked: as `InstrumentSlot`.
  private let sound: UnsafeMutablePointer<Sound>

  /// Moves an instrument into a new slot, and prepares the instrument for a sample rate.
  package init(_ instrument: sending Sound, name: String? = nil, sampleRate: Double) {
    sound = .allocate(capacity: 1)
    sound.initialize(to: instrument)
    let controls = Sound.Control.allCases.map(\.parameter)
    precondition(
      zip(Sound.Control.allCases, 0...).allSatisfy { $0.rawValue == $1 },
      "an instrument's controls count from 0")
    super.init(
      sheet: Sound.sheet, name: name ?? Sound.sheet.name, controls: controls, sampleRate: sampleRate,
      madeNotes: (sound.pointee as? any NoteMaker)?.madeNotes)
  }

  override func fit(sampleRate: Double) {
    super.fit(sampleRate: sampleRate)
    sound.pointee.prepare(sampleRate: sampleRate, blockFrames: ControlGlide.period)
  }

  deinit {
    sound.deinitialize(count: 1)
    sound.deallocate()
  }

  override var swing: Double { sound.pointee.swing }

  override func deliver(_ event: InstrumentEvent) { sound.pointee.handle(event, Controls(bank.glides)) }

  override func renderScratch(frames: Int, position: Int64, time: HostTime) -> Bool {
    guard sound.pointee.isSounding else { return false }
    let samples = UnsafeMutableBufferPointer(rebasing: scratch[..<(2 &* frames)])
    samples.update(repeating: 0)
    var block = AudioBlock(
      output: samples.mutableSpan, input: UnsafeBufferPointer(rebasing: samples[..<0]).span, outputs: 2,
      inputs: 0,
      frames: frames, sampleRate: sampleRate, position: position, time: time)
    sound.pointee.render(&block, Controls(bank.glides))
    return true
  }
}

extension InstrumentBus {
  /// Plays every kind of event once on a slot that is then discarded, so that the audio thread need not allocate later.
  ///
  /// The first use of an instrument type allocates memory that is never released (metadata, tables). The warm-up
  /// makes these allocations in advance, on the calling thread.
  package static func warmUp(_ slot: InstrumentSlot) {
    momu_thread_set_rehearsing(1)
    defer { momu_thread_set_rehearsing(0) }
    let note = Note(60)
    let line = GridLine(
      beat: 0, position: BarPosition(bar: 1, beat: 0, meter: .common), tempo: 120, length: 0.125)
    let events: [InstrumentEvent] = [
      .rhythm(isRunning: true), .noteOn(note), .line(line), .bend(1), .strike(0.5), .motion(.still),
      .noteMove(note),
      .noteOff(note), .rhythm(isRunning: false), .allOff,
    ]
    var samples = [Float](repeating: 0, count: 2 * stretch)
    for event in events {
      slot.deliver(event)
      samples.withUnsafeMutableBufferPointer { memory in
        var block = AudioBlock(
          output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2,
          inputs: 0,
          frames: stretch, sampleRate: slot.sampleRate)
        slot.add(to: &block, beat: nil)
      }
    }
  }

  /// The number of frames that the warm-up renders after each event: enough for an attack to reach its peak.
  private static let stretch = 1024
}
