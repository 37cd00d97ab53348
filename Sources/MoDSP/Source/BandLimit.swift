/// A band-limiter for the jumps and corners of a waveform of straight lines; it delays the waveform by 12 samples.
@frozen
@usableFromInline
struct BandLimit: Sendable {
  @usableFromInline let table: StepTable
  /// The next output samples, from index `now` on; a jump or corner changes 24 of them, and `now` is 0 ..< 24.
  @usableFromInline var coming = InlineArray<48, Float>(repeating: 0)
  @usableFromInline var now = 0

  @usableFromInline
  init() { table = .shared }

  /// Adds a jump by `size` to the waveform; the jump happens `late` samples, 0 ..< 1, before the next sample.
  @inlinable
  mutating func jump(by size: Double, late: Double) { add(table.steps, Float(size), late) }

  /// Adds a corner to the waveform: its slope changes by `size` per sample.
  ///
  /// The corner happens `late` samples, 0 ..< 1, before the next sample.
  @inlinable
  mutating func turn(by size: Double, late: Double) { add(table.corners, Float(size), late) }

  @inlinable
  mutating func add(_ table: UnsafePointer<Float>, _ size: Float, _ late: Double) {
    let place = max(0, min(late, 0.999_999)) * Double(StepTable.places)
    let whole = Int(place)
    let (near, share) = (table + whole &* StepTable.width, Float(place - Double(whole)))
    for tap in 0..<StepTable.width {
      let difference = near[tap] + share * (near[tap &+ StepTable.width] - near[tap])
      coming[unchecked: now &+ tap] += size * difference
    }
  }

  /// Returns the next output sample; `sharp` is the next sample of the waveform without band-limiting.
  @inlinable
  mutating func next(_ sharp: Double) -> Float {
    coming[unchecked: now &+ StepTable.width / 2] += Float(sharp)
    let output = coming[unchecked: now]
    now &+= 1
    if now == StepTable.width {
      for index in 0..<StepTable.width {
        coming[unchecked: index] = coming[unchecked: index &+ StepTable.width]
        coming[unchecked: index &+ StepTable.width] = 0
      }
      now = 0
    }
    return output
  }
}
