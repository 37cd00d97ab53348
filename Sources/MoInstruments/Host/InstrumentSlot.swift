import MoCore
import MoDSP
import MoMu
import Synchronization

/// An instrument's slot on the bus: its incoming events, its parameters' values, and its visible state.
///
/// `TypedInstrumentSlot` holds the instrument itself; this class is independent of the instrument's type.
///
/// - Thread: `inbox`, `shown` and the atomics from any; all other members belong to the rendering thread.
@usableFromInline
package class InstrumentSlot: @unchecked Sendable {
  // Unchecked: the plain fields belong to the rendering thread; other threads use the atomics and the inbox
  // only.
  package let sheet: InstrumentInfo
  /// The name in addresses; two instruments of one type have two names.
  package let name: String
  /// The instrument's own parameters, then loudness.
  package let parameters: [Parameter]
  /// The events on their way to the audio thread.
  let inbox = EventInbox<SlotMessage>(capacity: 512)
  /// Whether a note's release found the inbox full; then all notes are released.
  let hasLostEnd = Atomic<Bool>(false)
  /// The number of notes played by `playNote`, from which their IDs are made.
  let lengths = Atomic<Int32>(0)
  /// The last value set for each parameter, in the order of `parameters`.
  package let shown: UnsafeMutablePointer<Atomic<UInt32>>
  /// The highest sample since the last read, as a bit pattern, which sorts like the numbers, since they are
  /// not negative.
  package let peak = Atomic<UInt32>(0)
  /// The number of refused events and values: NaN, or a full queue.
  package let refused = Atomic<Int>(0)
  /// Whether it must fade out; a flag instead of an event, because the inbox may be full.
  package let isLeaving = Atomic<Bool>(false)
  /// Whether it has faded out and can be released.
  package let hasLeft = Atomic<Bool>(false)

  /// A pointer to the relay that receives all played events; 0 for none.
  let relayPlace = Atomic<UInt>(0)
  /// The same relay, kept alive.
  let keptRelay = Locked<EventTap?>(nil)

  /// The notes that the instrument plays by itself; nil for an instrument that plays none.
  let madeNotes: MadeNotes?

  /// The mapping of movement; not for the audio thread.
  let mapper: Locked<MotionMapper>

  let parameterCount: Int
  let glides: UnsafeMutablePointer<ControlGlide>
  let smoothing: UnsafeMutablePointer<Int>
  /// A buffer for one stretch of sound, two channels.
  let scratch: UnsafeMutableBufferPointer<Float>
  /// A fade gain: 1 while it plays, gliding to 0 once it leaves.
  var presence = ControlGlide(1)
  /// The notes that are currently held.
  var held = HeldNotes()
  /// The seat that this one replaces when it is first rendered.
  var predecessor: UnsafeRawPointer?
  var lines: SwungSteps?
  var isRhythm = false
  /// The grid for which its notes and strokes wait; nil for none.
  package let grid = LatestValue<Quantiser?>(nil)
  /// Held while `grid` is set.
  let gridLock = Locked(())
  /// The times at which the events are heard.
  ///
  /// Final: a virtual accessor of a value that cannot be copied allocates.
  final var sequencer: Sequencer
  /// The time of the last line sent because of `grid`, and the time of the next.
  var lastGridLine = HostTime.distantPast
  var nextGridLine: HostTime?
  /// Whether anything has been rendered; values set before apply from the first frame, without a glide.
  var hasBegun = false
  /// The orders and results of the loop, exchanged between both threads.
  let lastOrder = Locked(LoopOrder())
  let orders = LatestValue(LoopOrder())
  let orderCount = Atomic<Int>(0)
  var ordersDone = 0
  let loopTake = LatestValue(LoopRecording())
  let loopState = Atomic<UInt8>(0)
  private(set) var sampleRate: Double

  /// The fade-out of a leaving instrument, in seconds.
  static let leaving = 0.01

  init(
    sheet: InstrumentInfo, name: String, controls: [Parameter], sampleRate: Double,
    madeNotes: MadeNotes? = nil
  ) {
    self.sheet = sheet
    self.madeNotes = madeNotes
    self.name = name
    self.sampleRate = sampleRate
    parameters = controls + [InstrumentSlot.loudness]
    // The tests ensure that the mapping of every sheet is valid.
    mapper = Locked(MotionMapper((try? Mapping(sheet.mapping)) ?? Mapping()))
    lines = sheet.grid.map { SwungSteps($0) }
    sequencer = Sequencer(capacity: 1024, hasOwnGrid: sheet.grid != nil)
    let count = parameters.count
    parameterCount = count
    shown = .allocate(capacity: count)
    glides = .allocate(capacity: count)
    smoothing = .allocate(capacity: count)
    for (index, parameter) in parameters.enumerated() {
      (shown + index).initialize(to: Atomic(parameter.initial.bitPattern))
      (glides + index).initialize(to: ControlGlide(parameter.initial))
      (smoothing + index).initialize(to: 0)
    }
    scratch = .allocate(capacity: 2 * ControlGlide.period)
    scratch.initialize(repeating: 0)
    fit(sampleRate: sampleRate)
  }

  /// Prepares it for a sample rate, before any sound is heard.
  func fit(sampleRate: Double) {
    self.sampleRate = sampleRate
    for (index, parameter) in parameters.enumerated() {
      smoothing[index] = max(0, Int(parameter.smoothing * sampleRate))
    }
  }

  deinit {
    shown.deinitialize(count: parameterCount)
    shown.deallocate()
    glides.deallocate()
    smoothing.deallocate()
    scratch.deallocate()
  }

  /// The parameter that every instrument has, from 0 (silent) to 1 (loudest); the gain is its square.
  static let loudness = Parameter("loudness", 0...1, default: 0.8, about: "how loud it is in the mix")

  /// The glide of loudness.
  var loudness: UnsafeMutablePointer<ControlGlide> { glides + (parameterCount &- 1) }

  /// Whether it has faded out completely.
  var isGone: Bool { presence.goal == 0 && presence.held == 0 }

  /// Discards received events if nothing is rendered.
  func pass() {
    while inbox.receive() != nil {}
    sequencer.removeAll()
    if isLeaving.load(ordering: .acquiring) { hasLeft.store(true, ordering: .releasing) }
  }

  // Overridden for each type of instrument.
  func deliver(_ event: InstrumentEvent) {}
  var swing: Double { 0 }
  func renderScratch(frames: Int, position: Int64, time: HostTime) -> Bool { false }
}
