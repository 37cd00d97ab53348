import CMoSystem
import Glibc
import MoCore
import MoDSP
import Synchronization

/// A mixer for instruments: adds the sounds of the instruments, and limits the sum to −1 dBFS.
///
/// The limiter looks 1 ms ahead (`lookAhead`), so that it reduces peaks without distortion. Sound that is already in
/// the first two channels of the block is also limited, and delayed by the same 1 ms. Further channels stay as they
/// are. The `time` of the blocks that the instruments receive includes this delay: it is the time at which the first
/// frame has passed the limiter and reaches the ear. So an event is heard exactly at its time.
///
/// `MoAudio.play` creates and plays a bus. A program with its own audio callback can render a bus in this
/// callback.
///
/// ```swift
/// let bus = InstrumentBus()
/// let piano = try bus.add(Piano())
/// try MoAudio.start { block in bus.render(&block) }
/// ```
///
/// - Thread: `render` on the audio thread or another rendering thread; all other members on any other
///   thread.
/// - Real-time safe: `render` only.
public final class InstrumentBus: @unchecked Sendable {
  // Unchecked: `places`, `placesTaken` and the limiter belong to the rendering thread. A slot is passed
  // through the queue, and `slots` keeps it alive until it reports that it has left.

  /// The largest sample that the limiter lets through: −1 dBFS.
  public static let ceiling: Float = 0.891
  /// The delay of the limiter, in seconds.
  public static let lookAhead = 0.001
  /// The maximum number of instruments.
  public static let most = 32

  private let rate: Atomic<UInt64>
  private let slots = Locked<[InstrumentSlot]>([])
  private let incoming = MoQueue<UInt>(capacity: InstrumentBus.most)
  private let places: UnsafeMutablePointer<UnsafeRawPointer>
  private var placesTaken = 0
  private var limiter: Limiter
  private let beats = Locked<[BeatBox]>([])
  private let beat = Atomic<UInt>(0)
  private let limited = Atomic<UInt32>(Float(1).bitPattern)

  /// An object that holds the closure of `follow`, so that the audio thread can read the closure through a pointer.
  private final class BeatBox: Sendable {
    let clock: @Sendable () -> BeatClock
    init(_ clock: @escaping @Sendable () -> BeatClock) { self.clock = clock }
  }

  /// Creates a bus without instruments.
  ///
  /// - Parameter sampleRate: the rate of the blocks to render, in frames per second.
  public convenience init(sampleRate: Double = 48_000) {
    self.init(sampleRate: sampleRate, lookAhead: Self.lookAhead)
  }

  /// Creates a bus whose limiter has a given delay.
  ///
  /// - Parameters:
  ///   - sampleRate: the rate of the blocks to render, in frames per second.
  ///   - lookAhead: the delay of the limiter in seconds; tests use 0, so that a sound starts at the frame of its event.
  package init(sampleRate: Double, lookAhead: Double) {
    rate = Atomic(sampleRate.bitPattern)
    places = .allocate(capacity: Self.most)
    // The hold exceeds half a period of the lowest tones, so that the gain does not follow their waveform.
    limiter = Limiter(
      ceiling: Self.ceiling, lookAhead: lookAhead, release: 0.15, hold: 0.012, sampleRate: sampleRate)
  }

  deinit { places.deallocate() }

  /// The sample rate of the instruments, in frames per second; after the device has started, the device's rate.
  public var sampleRate: Double { Double(bitPattern: rate.load(ordering: .acquiring)) }

  /// Adds an instrument, which is heard from the next block on.
  ///
  /// - Parameters:
  ///   - instrument: the instrument; after the call, only the audio thread uses it.
  ///   - name: the instrument's name in addresses: lower-case letters, digits and hyphens (default: the name in its
  ///     sheet). A name that is taken gets a number, such as `harp-2`.
  /// - Throws: `InstrumentError.tooMany` or `.badName`.
  public func add<Sound: Instrument>(_ instrument: sending Sound, as name: String? = nil)
    throws(InstrumentError)
    -> InstrumentHandle
  {
    Self.warmUp(TypedInstrumentSlot(Sound(seed: 1), sampleRate: sampleRate))
    let slot = TypedInstrumentSlot(
      instrument, name: try freeName(name ?? Sound.sheet.name), sampleRate: sampleRate)
    return try add(slot)
  }

  /// Sets the closure that returns the beat for the instruments, such as `{ MoSession.beat }`; nil for no rhythm.
  ///
  /// The bus calls the closure once per block, on the rendering thread.
  public func follow(_ clock: (@Sendable () -> BeatClock)?) {
    guard let clock else { return beat.store(0, ordering: .releasing) }
    let box = BeatBox(clock)
    // Never released: the audio thread may still be calling the previous one.
    beats.withLock { $0.append(box) }
    beat.store(UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque()), ordering: .releasing)
  }

  /// The playing instruments, in the order in which they were added.
  public var handles: [InstrumentHandle] { present.map { InstrumentHandle($0) } }

  /// The current gain of the limiter, a factor from 0 to 1; 1 while the limiter does not reduce the sound.
  public var limiting: Float { Float(bitPattern: limited.load(ordering: .relaxed)) }

  /// Adds the sound of the bus's instruments to a block, and limits the sum.
  ///
  /// - Thread: any, but one at a time; the audio thread during play.
  /// - Real-time safe: yes.
  public func render(_ block: inout AudioBlock) {
    let isWarmUp = momu_thread_is_rehearsing() != 0
    while placesTaken < Self.most, let next = incoming.pop() {
      guard let slot = UnsafeRawPointer(bitPattern: next) else { continue }
      places[placesTaken] = slot
      placesTaken &+= 1
      if !isWarmUp {
        Unmanaged<InstrumentSlot>.fromOpaque(slot)._withUnsafeGuaranteedRef { $0.takeOver() }
      }
    }
    // A warm-up block is discarded, so queued events must not be used for it.
    if isWarmUp { return fit(sampleRate: block.sampleRate) }
    let clock = beatNow
    let heard = block.time
    // The limiter delays the instruments' sound by its latency.
    block.heard = block.time(limiter.latency)
    // The block holds the same strikes, so the time from a strike to its sound grows by the latency.
    let delay = block.playThrough
    if delay > 0 { block.playThrough &+= block.heard.nanoseconds(since: heard) }
    var kept = 0
    for index in 0..<placesTaken {
      let slot = Unmanaged<InstrumentSlot>.fromOpaque(places[index])
      if slot._withUnsafeGuaranteedRef({ $0.isGone }) {
        slot._withUnsafeGuaranteedRef { $0.finish() }
        continue
      }
      slot._withUnsafeGuaranteedRef { $0.add(to: &block, beat: clock) }
      places[kept] = places[index]
      kept &+= 1
    }
    placesTaken = kept
    (block.heard, block.playThrough) = (heard, delay)
    limit(&block)
  }
}

extension InstrumentBus {
  /// Adds the slot of an instrument that has been prepared and warmed up (see `warmUp`).
  @discardableResult
  package func add(_ slot: InstrumentSlot) throws(InstrumentError) -> InstrumentHandle {
    if let error = slot.mappingError {
      MoLog.log(.warning, "the mapping of \(slot.name) has a mistake, so movement does not play it: \(error)")
    }
    let isIn = slots.withLock { slots in
      slots.removeAll { $0.hasLeft }
      guard slots.count < Self.most else { return false }
      slots.append(slot)
      // Pushed under the lock, because the queue allows one producer at a time.
      return incoming.push(UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque()))
    }
    guard isIn else { throw .tooMany(most: Self.most) }
    return InstrumentHandle(slot)
  }

  /// Discards the received events and releases the instruments that leave; for programs without sound (`--audio none`).
  ///
  /// - Thread: any, but one at a time, in place of `render`.
  package func pass() {
    while let next = incoming.pop() {
      guard let slot = UnsafeRawPointer(bitPattern: next) else { continue }
      Unmanaged<InstrumentSlot>.fromOpaque(slot)._withUnsafeGuaranteedRef { $0.takeOverInSilence() }
    }
    for slot in present { slot.pass() }
  }

  private var present: [InstrumentSlot] {
    slots.withLock { slots in
      slots.removeAll { $0.hasLeft }
      return slots
    }
  }

  /// Returns a name for a new instrument: `name` or, if an instrument already has this name, `name` and a number, such
  /// as `drum-2`.
  package func freeName(_ name: String) throws(InstrumentError) -> String {
    guard Self.isName(name) else { throw .badName(name) }
    let taken = present.map(\.name)
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }

  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Prepares all instruments for the device's sample rate, before any sound is heard.
  private func fit(sampleRate: Double) {
    guard sampleRate != self.sampleRate else { return }
    rate.store(sampleRate.bitPattern, ordering: .releasing)
    limiter.prepare(sampleRate: sampleRate)
    for index in 0..<placesTaken {
      Unmanaged<InstrumentSlot>.fromOpaque(places[index])._withUnsafeGuaranteedRef {
        $0.fit(sampleRate: sampleRate)
      }
    }
  }

  private var beatNow: BeatClock? {
    guard let box = UnsafeRawPointer(bitPattern: beat.load(ordering: .acquiring)) else { return nil }
    return Unmanaged<BeatBox>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.clock() }
  }

  private func limit(_ block: inout AudioBlock) {
    guard block.outputs > 0 else { return }
    let right = min(1, block.outputs &- 1)
    for frame in block.frames {
      let sound = limiter.tick(SIMD2(block[frame, 0], block[frame, right]))
      block[frame, 0] = sound.x
      block[frame, right] = sound.y
    }
    limited.store(Float(limiter.gain).bitPattern, ordering: .relaxed)
  }
}
