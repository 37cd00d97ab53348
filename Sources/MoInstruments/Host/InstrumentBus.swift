import CMoSystem
import Glibc
import MoCore
import MoDSP
import Synchronization

/// Where instruments meet: each adds its sound, and a limiter keeps the sum below −1 dBFS.
///
/// The limiter looks 1 ms ahead (`lookAhead`), so that it turns a peak down without bending it. What is in a block before
/// `render` is limited with the sum, and is that much later, too. The instruments know it: the `time` of the blocks that
/// they get is when a frame leaves the limiter and reaches the ear, so an event for a moment is heard at that moment.
///
/// `MoAudio.play` makes one and plays it; a program with a callback of its own may render one there.
///
/// ```swift
/// let bus = InstrumentBus()
/// let piano = try bus.add(Piano(seed: nil))
/// try MoAudio.start { block in bus.render(&block) }
/// ```
///
/// - Thread: `render` on the audio thread, or on one that renders; everything else on any other.
/// - Real-time safe: `render`, yes; nothing else.
public final class InstrumentBus: @unchecked Sendable {
  // Unchecked: `places`, `placesTaken` and the limiter belong to the thread that renders; a seat is handed over by the
  // queue, and kept alive by `seats` until it says that it has left.

  /// The most that sounds: −1 dBFS.
  public static let ceiling: Float = 0.891
  /// Seconds by which the limiter makes the sound later.
  public static let lookAhead = 0.001
  /// How many instruments have room.
  public static let most = 32

  private let rate: Atomic<UInt64>
  private let seats = Locked<[InstrumentSlot]>([])
  private let incoming = MoQueue<UInt>(capacity: InstrumentBus.most)
  private let places: UnsafeMutablePointer<UnsafeRawPointer>
  private var placesTaken = 0
  private var limiter: Limiter
  private let beats = Locked<[BeatBox]>([])
  private let beat = Atomic<UInt>(0)
  private let limited = Atomic<UInt32>(Float(1).bitPattern)

  /// A closure that says the beat, where the audio thread finds it.
  private final class BeatBox: Sendable {
    let clock: @Sendable () -> BeatClock
    init(_ clock: @escaping @Sendable () -> BeatClock) { self.clock = clock }
  }

  /// A bus with no instrument on it.
  ///
  /// - Parameter sampleRate: frames a second of the blocks that it is to render.
  public convenience init(sampleRate: Double = 48_000) {
    self.init(sampleRate: sampleRate, lookAhead: Self.lookAhead)
  }

  /// - Parameter lookAhead: of the limiter, in seconds; 0 for tests that count the frames of what is before it.
  package init(sampleRate: Double, lookAhead: Double) {
    rate = Atomic(sampleRate.bitPattern)
    places = .allocate(capacity: Self.most)
    // It holds for longer than half a period of the lowest tones, so that its gain does not follow their waves.
    limiter = Limiter(
      ceiling: Self.ceiling, lookAhead: lookAhead, release: 0.15, hold: 0.012, sampleRate: sampleRate)
  }

  deinit { places.deallocate() }

  /// Frames a second that its instruments are prepared for: those of the device, once it has been started.
  public var sampleRate: Double { Double(bitPattern: rate.load(ordering: .acquiring)) }

  /// Adds an instrument, which is heard from the next block on.
  ///
  /// - Parameters:
  ///   - instrument: handed over; from here on only the audio thread touches it.
  ///   - name: what it is called in addresses; left out, its own name, with a number where that is taken.
  /// - Throws: `InstrumentError.tooMany` or `.badName`.
  public func add<Sound: Instrument>(_ instrument: sending Sound, as name: String? = nil)
    throws(InstrumentError)
    -> InstrumentHandle
  {
    Self.rehearse(TypedInstrumentSlot(Sound(seed: 1), sampleRate: sampleRate))
    let seat = TypedInstrumentSlot(
      instrument, name: try freeName(name ?? Sound.sheet.name), sampleRate: sampleRate)
    return try add(seat)
  }

  /// Where the beat is read, once a block: `{ MoSession.beat }`; nil for no rhythm.
  public func follow(_ clock: (@Sendable () -> BeatClock)?) {
    guard let clock else { return beat.store(0, ordering: .releasing) }
    let box = BeatBox(clock)
    // Kept for good: the audio thread may just be asking the one before.
    beats.withLock { $0.append(box) }
    beat.store(UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque()), ordering: .releasing)
  }

  /// What plays, in the order of adding.
  public var handles: [InstrumentHandle] { present.map { InstrumentHandle($0) } }

  /// What the limiter's gain is now: 1 where nothing needs it.
  public var limiting: Float { Float(bitPattern: limited.load(ordering: .relaxed)) }

  /// Adds what its instruments play to a block, and limits the sum.
  ///
  /// - Thread: one at a time; the audio thread once playing.
  /// - Real-time safe: yes.
  public func render(_ block: inout AudioBlock) {
    let isRehearsal = momu_thread_is_rehearsing() != 0
    while placesTaken < Self.most, let next = incoming.pop() {
      guard let seat = UnsafeRawPointer(bitPattern: next) else { continue }
      places[placesTaken] = seat
      placesTaken &+= 1
      if !isRehearsal {
        Unmanaged<InstrumentSlot>.fromOpaque(seat)._withUnsafeGuaranteedRef { $0.takeOver() }
      }
    }
    // A rehearsal is thrown away: what is on its way must not be.
    if isRehearsal { return fit(sampleRate: block.sampleRate) }
    let clock = beatNow
    let heard = block.time
    // An instrument's sound leaves the limiter later by its latency.
    block.heard = block.time(limiter.latency)
    // The same strokes belong to the block: from a stroke to its sound it is as much longer.
    let delay = block.playThrough
    if delay > 0 { block.playThrough &+= block.heard.nanoseconds(since: heard) }
    var kept = 0
    for index in 0..<placesTaken {
      let seat = Unmanaged<InstrumentSlot>.fromOpaque(places[index])
      if seat._withUnsafeGuaranteedRef({ $0.isGone }) {
        seat._withUnsafeGuaranteedRef { $0.hasLeft.store(true, ordering: .releasing) }
        continue
      }
      seat._withUnsafeGuaranteedRef { $0.add(to: &block, beat: clock) }
      places[kept] = places[index]
      kept &+= 1
    }
    placesTaken = kept
    (block.heard, block.playThrough) = (heard, delay)
    limit(&block)
  }
}

extension InstrumentBus {
  /// Adds a seat that is prepared and rehearsed.
  @discardableResult
  package func add(_ seat: InstrumentSlot) throws(InstrumentError) -> InstrumentHandle {
    let isIn = seats.withLock { seats in
      seats.removeAll { $0.hasLeft.load(ordering: .acquiring) }
      guard seats.count < Self.most else { return false }
      seats.append(seat)
      // Pushed under the lock: the queue has one producer at a time.
      return incoming.push(UInt(bitPattern: Unmanaged.passUnretained(seat).toOpaque()))
    }
    guard isIn else { throw .tooMany(most: Self.most) }
    return InstrumentHandle(seat)
  }

  /// Throws away what came, and lets go of who leaves, where nothing is rendered.
  ///
  /// - Thread: one at a time, in place of `render`.
  func pass() {
    while let next = incoming.pop() {
      guard let seat = UnsafeRawPointer(bitPattern: next) else { continue }
      Unmanaged<InstrumentSlot>.fromOpaque(seat)._withUnsafeGuaranteedRef { $0.takeOverInSilence() }
    }
    for seat in present { seat.pass() }
  }

  private var present: [InstrumentSlot] {
    seats.withLock { seats in
      seats.removeAll { $0.hasLeft.load(ordering: .acquiring) }
      return seats
    }
  }

  /// The name, or with a number where an instrument has it: `drum`, `drum-2`.
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

  /// Prepares all for the device's own rate, before anything is heard.
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
