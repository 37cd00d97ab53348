import Glibc
import MoCore
import MoDSP
import MoInstruments

/// Every instrument of the catalogue, twice: by a score, and by a hand.
let instruments: [Piece] = Instruments.all.flatMap { [score($0), gestures($0)] }

/// A fixed score: low, middle and high, soft to hard; a chord, a note that is bent, three strokes.
private func score(_ entry: InstrumentFactory) -> Piece {
  let range = entry.sheet.plays ?? 36...84
  func pitch(_ part: Float) -> Float {
    (range.lowerBound + (range.upperBound - range.lowerBound) * part).rounded()
  }
  var play = Performance(entry)
  let notes: [(part: Float, velocity: Float)] = [(0, 0.3), (0.25, 0.5), (0.5, 0.7), (0.75, 0.9), (1, 1)]
  for (place, note) in notes.enumerated() {
    play.note(pitch(note.part), note.velocity, from: 0.1 + 0.6 * Double(place), to: 0.5 + 0.6 * Double(place))
  }
  for step: Float in [0, 4, 7] { play.note(pitch(0.4) + step, 0.7, from: 3.1, to: 3.9) }
  play.note(pitch(0.5), 0.7, from: 4.1, to: 5.3)
  for step in 0..<40 {
    play.send(.bend(2 * sinf(Float(step) / 40 * .pi)), at: 4.4 + 0.02 * Double(step))
  }
  play.send(.bend(0), at: 5.2)
  for (place, force) in [Float(0.3), 0.6, 1].enumerated() {
    play.send(.strike(force), at: 5.6 + 0.4 * Double(place))
    play.onsets.append(5.6 + 0.4 * Double(place))
  }
  play.rest = 6.8
  play.send(.allOff, at: play.rest)
  return play.piece(
    entry.sheet.name + "-played",
    "\(entry.sheet.summary). Five notes from low to high, soft to hard; a chord; a note that is bent up and back; three "
      + "strokes")
}

/// A fixed tape of gestures: still, tilted to and fro, tapped twice, shaken, still.
private func gestures(_ entry: InstrumentFactory) -> Piece {
  var play = Performance(entry)
  play.rest = 6
  var features = MotionFeatures()
  for reading in 0..<620 {
    let time = Double(reading) / 100
    // To the right first, in radians.
    let roll = time > 0.5 && time < 3 ? 0.7 * sin(2 * .pi * (time - 0.5) / 2.5) : 0
    let isTapped = [3.3, 3.7].contains { time >= $0 && time < $0 + 0.02 }
    let shake = time > 4.2 && time < 5.7 ? 1.5 * sin(2 * .pi * 5 * (time - 4.2)) : isTapped ? 1.2 : 0
    let motion = features.read(
      time: HostTime(seconds: time), x: Float(-sin(roll)), y: Float(shake), z: Float(cos(roll)))
    if let motion { play.cues.append((time, { $0.move(motion) })) }
  }
  // What is swayed begins with the tilt, the others answer the first shake.
  play.onsets = ["reed", "drone"].contains(entry.sheet.name) ? [0.65] : [4.2]
  return play.piece(
    entry.sheet.name + "-moved",
    "Moved: still for half a second, tipped to the right and to the left, tapped twice, shaken from 4.2 to 5.7 s, still"
  )
}

/// What happens to an instrument, in seconds.
private struct Performance {
  let entry: InstrumentFactory
  var cues: [(time: Double, action: @Sendable (InstrumentHandle) -> Void)] = []
  /// When something new must be heard, and when all is let go.
  var onsets: [Double] = []
  var rest = 0.0

  /// It gets a rhythm, and what it plays comes when the rhythm says.
  private var playsByRhythm: Bool { entry.sheet.grid != nil }

  init(_ entry: InstrumentFactory) { self.entry = entry }

  mutating func send(_ event: InstrumentEvent, at time: Double) {
    cues.append((time, { $0.send(event, at: HostTime(seconds: time)) }))
  }

  mutating func note(_ pitch: Float, _ velocity: Float, from start: Double, to end: Double) {
    send(.noteOn(Note(pitch, velocity: velocity)), at: start)
    send(.noteOff(Note(pitch, velocity: 0.5)), at: end)
    if onsets.last != start { onsets.append(start) }
  }

  /// The piece; until everything must have died away.
  func piece(_ name: String, _ about: String) -> Piece {
    let seconds = rest + entry.sheet.tail + 0.2
    let (entry, cues, rest) = (entry, cues.sorted { $0.time < $1.time }, rest)
    let rhythm = playsByRhythm
    return Piece(name, about, seconds: seconds, onsets: rhythm ? [] : onsets, rest: rest) {
      Performance.render(entry, cues, seconds: seconds, rhythmUntil: rhythm ? rest : nil)
    }
  }

  /// In blocks of 64 frames, on a bus of its own; a rhythm of 112 beats a minute where one is asked for.
  private static func render(
    _ entry: InstrumentFactory, _ cues: [(time: Double, action: @Sendable (InstrumentHandle) -> Void)],
    seconds: Double, rhythmUntil end: Double?
  ) -> [Float] {
    let bus = InstrumentBus(sampleRate: rate)
    guard let handle = try? entry.add(to: bus, seed: 1) else { return [] }
    if end != nil { bus.follow { .steady(tempo: 112, from: .zero) } }
    let block = 64
    var sound: [Float] = []
    var samples = [Float](repeating: 0, count: 2 * block)
    var next = 0
    for position in stride(from: 0, to: Int(seconds * rate), by: block) {
      let time = Double(position) / rate
      while next < cues.count, cues[next].time < time + Double(block) / rate {
        cues[next].action(handle)
        next += 1
      }
      if let end, time >= end { bus.follow(nil) }
      for index in samples.indices { samples[index] = 0 }
      samples.withUnsafeMutableBufferPointer { memory in
        var output = AudioBlock(
          output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2,
          inputs: 0, frames: block, sampleRate: rate, position: Int64(position), time: HostTime(seconds: time)
        )
        bus.render(&output)
      }
      sound += samples
    }
    return sound
  }
}
