import MoDSP
import MoInstruments
import Testing

extension InstrumentLaw {
  /// The laws about the onset, about equal sound for all block sizes and equal seeds, about moves of other notes, and
  /// about silence at rest.
  static let aboutTime = [onset, blocks, seed, moves, still]

  static let onset = InstrumentLaw(
    "begins at its frame: silence before, sound within a millisecond, and later by as much as the event"
  ) { entry in
    for event: InstrumentEvent in [.noteOn(Note(InstrumentRender(entry).middle)), .strike(0.8)] {
      var onsets: [Int] = []
      for frame in [1000, 1037, 1500] {
        var render = InstrumentRender(entry)
        render.send(event, at: frame)
        let onset = try #require(try render.take(seconds: 0.1).onset)
        #expect((frame..<frame + 48).contains(onset))
        onsets.append(onset - frame)
      }
      #expect(onsets == Array(repeating: onsets[0], count: 3))
    }
  }

  static let blocks = InstrumentLaw("is the same to the bit in blocks of 1, 64 and 512 frames") { entry in
    var render = InstrumentRender(entry)
    render.note(render.middle, from: 100, to: 9003)
    render.send(.strike(0.6), at: 3001)
    render.send(.bend(0.5), at: 4111)
    render.note(render.pitches(3)[2], velocity: 0.3, from: 5555, to: 12_345)
    for (index, parameter) in render.entry.parameters.enumerated() {
      render.set(parameter.name, to: parameter.value(at: 0.7), at: 6000 + 37 * index)
      render.set(parameter.name, to: parameter.value(at: 0.2), at: 6300 + 41 * index)
    }
    render.set("loudness", to: 0.5, at: 8000)
    var takes: [Take] = []
    for frames in [1, 64, 512] {
      render.blockFrames = frames
      takes.append(try render.take(seconds: 0.4))
    }
    #expect(takes[0].left == takes[2].left && takes[0].right == takes[2].right)
    #expect(takes[1].left == takes[2].left && takes[1].right == takes[2].right)
    #expect(takes[0].peak > 0)
  }

  static let seed = InstrumentLaw("is the same to the bit for the same seed") { entry in
    var render = InstrumentRender(entry)
    render.seed = 77
    render.note(render.middle, from: 0, to: 12_000)
    render.send(.strike(0.9), at: 3000)
    let first = try render.take(seconds: 0.5)
    // Compared here, because `#expect` would print both, sample by sample.
    let isSame = try first == render.take(seconds: 0.5)
    #expect(isSame)
  }

  static let moves = InstrumentLaw("ignores the move of a note that does not sound") { entry in
    var render = InstrumentRender(entry)
    let (low, high) = (render.pitches(3)[0], render.pitches(3)[2])
    render.send(.noteOn(Note(render.middle, id: 901)), at: 100)
    render.send(.noteOff(Note(render.middle, id: 901)), at: 6000)
    let unmoved = try render.take(seconds: 0.4)
    render.send(.noteMove(Note(low, velocity: 1, id: 902)), at: 3000)
    render.send(.noteMove(Note(high, velocity: 1, id: 901)), at: 9000)
    let isSame = try unmoved == render.take(seconds: 0.4)
    #expect(isSame)
  }

  static let still = InstrumentLaw("makes no sound while the device lies still") { entry in
    var render = InstrumentRender(entry)
    var features = MotionFeatures()
    var noise = Noise(seed: 3)
    for reading in 0..<200 {
      let frame = reading * 480
      let tremble = 0.005 * noise.tick()
      guard
        let motion = features.read(time: .init(seconds: Double(reading) / 100), x: tremble, y: -tremble, z: 1)
      else {
        continue
      }
      render.at(frame) { handle, time in
        var motion = motion
        motion.time = time
        handle.move(motion)
      }
    }
    let take = try render.take(seconds: 2)
    #expect(take.peak == 0)
  }
}
