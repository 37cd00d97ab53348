import MoCore
import MoDSP
import MoMu
import Synchronization

/// An instrument's place on the bus: what comes to it, its parameters' values, and what is seen of it from outside.
///
/// `TypedInstrumentSlot` holds the instrument itself; this is what does not depend on its kind.
///
/// - Thread: `events`, `shown` and the atomics from any; the rest belongs to the thread that renders.
@usableFromInline
package class InstrumentSlot: @unchecked Sendable {
  // Unchecked: the plain fields belong to the one thread that renders; others reach the atomics and the schedule.
  package let sheet: InstrumentInfo
  /// As it stands in addresses; two of a kind have two names.
  package let name: String
  /// Its own, and loudness, which comes last.
  package let parameters: [Parameter]
  /// What is on its way to the audio thread.
  let inbox = EventInbox<SlotMessage>(capacity: 512)
  /// Whether the end of a note found no room: then every note is let go.
  let hasLostEnd = Atomic<Bool>(false)
  /// The number of the last note that has its length with it.
  let lengths = Atomic<Int32>(0)
  /// What each parameter was last set to, in the order of `parameters`.
  package let shown: UnsafeMutablePointer<Atomic<UInt32>>
  /// The highest sample since somebody looked, as a bit pattern, which for numbers above 0 sorts as they do.
  package let peak = Atomic<UInt32>(0)
  /// What could not be taken: no numbers.
  package let refused = Atomic<Int>(0)
  /// Whether it is to fade out: no event, since those may have no room.
  package let isLeaving = Atomic<Bool>(false)
  /// Whether it has faded out and may be let go.
  package let hasLeft = Atomic<Bool>(false)

  /// Who is told of what is played, as a pointer; 0 for none.
  let relayPlace = Atomic<UInt>(0)
  /// The same, kept alive.
  let keptRelay = Locked<EventTap?>(nil)

  /// How movement reaches it; for ordinary threads.
  let mapper: Locked<MotionMapper>

  let parameterCount: Int
  let glides: UnsafeMutablePointer<ControlGlide>
  let smoothing: UnsafeMutablePointer<Int>
  /// One stretch of sound, two channels.
  let scratch: UnsafeMutableBufferPointer<Float>
  /// 1 while it plays, on its way to 0 once it leaves.
  var presence = ControlGlide(1)
  /// The notes that are held.
  var held = HeldNotes()
  /// The seat whose place it takes when it is first rendered.
  var predecessor: UnsafeRawPointer?
  var lines: SwungSteps?
  var isRhythm = false
  /// The grid that its notes and strokes wait for; nil for none.
  package let grid = LatestValue<Quantiser?>(nil)
  /// Held while the grid is set.
  let gridLock = Locked(())
  /// When each event is heard.
  ///
  /// Final: a virtual accessor of a value that cannot be copied allocates.
  final var sequencer: Sequencer
  /// When the last line was told that it has because it was asked to play on the grid, and when the next one is.
  var lastGridLine = HostTime.distantPast
  var nextGridLine: HostTime?
  /// Whether anything has been rendered: what is set before is there from the first frame.
  var hasBegun = false
  /// How both sides tell each other what is recorded and looped.
  let lastOrder = Locked(LoopOrder())
  let orders = LatestValue(LoopOrder())
  let orderCount = Atomic<Int>(0)
  var ordersDone = 0
  let loopTake = LatestValue(LoopRecording())
  let loopState = Atomic<UInt8>(0)
  private(set) var sampleRate: Double

  /// Seconds to fade out in when it leaves.
  static let leaving = 0.01

  init(sheet: InstrumentInfo, name: String, controls: [Parameter], sampleRate: Double) {
    self.sheet = sheet
    self.name = name
    self.sampleRate = sampleRate
    parameters = controls + [InstrumentSlot.loudness]
    // The laws hold every sheet's mapping to be good.
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

  /// Fits it to a sample rate; before it is heard.
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

  /// The parameter that every instrument has: 0 silent … 1 as loud as it can be; its square is the gain.
  static let loudness = Parameter("loudness", 0...1, default: 0.8, about: "how loud it is in the mix")

  /// The glide of loudness.
  var loudness: UnsafeMutablePointer<ControlGlide> { glides + (parameterCount &- 1) }

  /// Whether it has faded out for good.
  var isGone: Bool { presence.goal == 0 && presence.held == 0 }

  /// Throws away what came, where nothing is rendered.
  func pass() {
    while inbox.receive() != nil {}
    sequencer.removeAll()
    if isLeaving.load(ordering: .acquiring) { hasLeft.store(true, ordering: .releasing) }
  }

  // What depends on the instrument's kind.
  func deliver(_ event: InstrumentEvent) {}
  var swing: Double { 0 }
  func renderScratch(frames: Int, position: Int64, time: HostTime) -> Bool { false }
}
