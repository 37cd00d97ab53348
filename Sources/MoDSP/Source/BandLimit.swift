/// Lets a waveform of straight lines jump and turn without aliases, 12 samples late.
@frozen
@usableFromInline
struct BandLimit: Sendable {
  @usableFromInline let table: StepTable
  /// What is still to come out; its second half is written to by what happens in its first.
  @usableFromInline var coming = InlineArray<48, Float>(repeating: 0)
  @usableFromInline var now = 0

  @usableFromInline
  init() { table = .shared }

  /// Tells of a jump by `size`, `late` samples before the sample to come, 0 ..< 1.
  @inlinable
  mutating func jump(by size: Double, late: Double) { add(table.steps, Float(size), late) }

  /// Tells of a change of slope by `size` a sample, `late` samples before the sample to come, 0 ..< 1.
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

  /// The next sample, given that of the sharp waveform.
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
