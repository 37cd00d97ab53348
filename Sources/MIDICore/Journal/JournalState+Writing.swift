extension JournalState {
  /// Appends the journal of a packet: the state that the packets from `first` to the previous packet have set.
  ///
  /// The S bit of an element is 0 if the previous packet set a part of the element, and otherwise 1. A receiver that
  /// lost only the previous packet may skip the elements with an S bit of 1.
  ///
  /// - Parameters:
  ///   - packet: the packet that carries the journal.
  ///   - first: the first packet that the receiver has not confirmed.
  ///   - now: the packet's timestamp; a note that is older than `noteAge` is marked as too late to play.
  func write(to bytes: inout [UInt8], packet: Int, from first: Int, now: UInt32) {
    let previous = packet - 1
    let start = bytes.count
    let checkpoint = UInt16(truncatingIfNeeded: min(first, previous))
    bytes.append(0x80)
    bytes.append(UInt8(checkpoint >> 8))
    bytes.append(UInt8(checkpoint & 0xFF))
    if sequencer.packet >= first {
      bytes[start] |= 0x40
      if sequencer.packet == previous { bytes[start] &= 0x7F }
      sequencer.write(to: &bytes, isNew: sequencer.packet == previous)
    }
    var count: UInt8 = 0
    for index in channels.indices where channels[index].newest >= first {
      let place = bytes.count
      channels[index].write(to: &bytes, channel: index, first: first, previous: previous, now: now)
      guard bytes.count > place else { continue }
      if bytes[place] < 0x80 { bytes[start] &= 0x7F }
      count += 1
    }
    if count > 0 { bytes[start] |= 0x20 | (count - 1) }
  }
}

extension JournalSequencer {
  /// Appends the system journal with chapter Q (the sequencer); `isNew` is true if the previous packet changed the
  /// sequencer.
  fileprivate func write(to bytes: inout [UInt8], isNew: Bool) {
    let hasPlace = clocks > 0
    bytes.append((isNew ? 0 : 0x80) | 0x10)
    bytes.append(hasPlace ? 5 : 3)
    bytes.append(
      (isNew ? 0 : 0x80) | (isRunning ? 0x40 : 0) | (hasBegun ? 0x20 : 0) | (hasPlace ? 0x10 : 0)
        | UInt8(hasPlace ? clocks >> 16 & 7 : 0))
    if hasPlace {
      bytes.append(UInt8(clocks >> 8 & 0xFF))
      bytes.append(UInt8(clocks & 0xFF))
    }
  }
}

extension JournalChannel {
  /// The age above which a lost note is too late to play, in ticks of 100 µs: 200 ms.
  static let noteAge: UInt32 = 2000

  /// Appends the journal of a channel; appends nothing if all chapters are empty.
  ///
  /// - Parameters:
  ///   - first: the first packet that the receiver has not confirmed.
  ///   - previous: the packet before the packet that carries the journal.
  ///   - now: the timestamp of the packet, in ticks of 100 µs.
  fileprivate func write(
    to bytes: inout [UInt8], channel: Int, first: Int, previous: Int, now: UInt32
  ) {
    let start = bytes.count
    bytes.append(0x80 | UInt8(channel) << 3)
    bytes.append(0)
    bytes.append(0)
    var chapters: UInt8 = 0
    var isOld = true
    func add(_ chapter: UInt8, _ isChapterOld: Bool) {
      chapters |= chapter
      isOld = isOld && isChapterOld
    }
    if program.packet >= first { add(0x80, writeProgram(to: &bytes, previous: previous)) }
    if let old = writeControls(to: &bytes, first: first, previous: previous) { add(0x40, old) }
    if parameters.packet >= first {
      add(0x20, parameters.write(to: &bytes, first: first, previous: previous))
    }
    if bendPacket >= first {
      let old = bendPacket != previous
      bytes.append(bend.low.value | (old ? 0x80 : 0))
      bytes.append(bend.high.value)
      add(0x10, old)
    }
    if let old = writeNotes(to: &bytes, first: first, previous: previous, now: now) { add(0x08, old) }
    if pressure.packet >= first {
      let old = pressure.packet != previous
      bytes.append(pressure.value | (old ? 0x80 : 0))
      add(0x02, old)
    }
    if let old = writeKeyPressures(to: &bytes, first: first, previous: previous) { add(0x01, old) }
    guard chapters != 0 else {
      bytes.removeLast(bytes.count - start)
      return
    }
    let length = bytes.count - start
    if !isOld { bytes[start] &= 0x7F }
    bytes[start] |= UInt8(length >> 8)
    bytes[start + 1] = UInt8(length & 0xFF)
    bytes[start + 2] = chapters
  }

  /// Appends chapter P (program and bank); returns true if the previous packet did not change the program.
  private func writeProgram(to bytes: inout [UInt8], previous: Int) -> Bool {
    let old = program.packet != previous
    let hasBank = bank.high < 0x80 || bank.low < 0x80
    bytes.append(program.value | (old ? 0x80 : 0))
    bytes.append((hasBank ? 0x80 : 0) | (hasBank && bank.high < 0x80 ? bank.high : 0))
    bytes.append(hasBank && bank.low < 0x80 ? bank.low : 0)
    return old
  }

  /// Appends chapter C: the controllers' values, and counts of channel mode messages.
  ///
  /// - Returns: true if the previous packet changed none of these values and counts; nil if nothing was appended.
  private func writeControls(to bytes: inout [UInt8], first: Int, previous: Int) -> Bool? {
    let controls = controls.span
    let start = bytes.count
    var isOld = true
    for number in 0..<128 where controls[number].packet >= first {
      if bytes.count == start { bytes.append(0) }
      let cell = controls[number]
      let old = cell.packet != previous
      isOld = isOld && old
      bytes.append(UInt8(number) | (old ? 0x80 : 0))
      bytes.append(Self.isCounted(number) ? 0xC0 | cell.value : cell.value)
    }
    guard bytes.count > start else { return nil }
    bytes[start] = UInt8((bytes.count - start - 1) / 2 - 1) | (isOld ? 0x80 : 0)
    return isOld
  }

  /// Appends chapter N: pressed keys, the oldest first, and a bit for each released key.
  ///
  /// - Returns: true if the previous packet changed none of these keys; nil if nothing was appended.
  private func writeNotes(to bytes: inout [UInt8], first: Int, previous: Int, now: UInt32) -> Bool? {
    let notes = notes.span
    var order = InlineArray<128, UInt8>(repeating: 0)
    var count = 0
    var (low, high) = (16, -1)
    var (areLogsOld, areBitsOld) = (true, true)
    for note in 0..<128 where notes[note].packet >= first {
      let cell = notes[note]
      if cell.velocity == 0 {
        low = min(low, note / 8)
        high = max(high, note / 8)
        areBitsOld = areBitsOld && cell.packet != previous
        continue
      }
      areLogsOld = areLogsOld && cell.packet != previous
      var place = count
      while place > 0, notes[Int(order[place - 1])].packet > cell.packet {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = UInt8(note)
      count += 1
    }
    guard count > 0 || high >= 0 else { return nil }
    bytes.append(UInt8(min(count, 127)) | (areBitsOld ? 0x80 : 0))
    bytes.append(high >= 0 ? UInt8(low << 4 | high) : count == 128 ? 0xF0 : 0xF1)
    for place in 0..<count {
      let note = Int(order[place])
      let isLate = Int32(bitPattern: now &- notes[note].time) > Int32(Self.noteAge)
      bytes.append(UInt8(note) | (notes[note].packet != previous ? 0x80 : 0))
      bytes.append(notes[note].velocity | (isLate ? 0 : 0x80))
    }
    for octet in stride(from: low, through: high, by: 1) {
      var bits: UInt8 = 0
      for bit in 0..<8 {
        let cell = notes[octet * 8 + bit]
        if cell.packet >= first, cell.velocity == 0 { bits |= 0x80 >> UInt8(bit) }
      }
      bytes.append(bits)
    }
    return areLogsOld && areBitsOld
  }

  /// Appends chapter A: the pressures of keys.
  ///
  /// - Returns: true if the previous packet changed none of these pressures; nil if nothing was appended.
  private func writeKeyPressures(to bytes: inout [UInt8], first: Int, previous: Int) -> Bool? {
    let keyPressures = keyPressures.span
    let start = bytes.count
    var isOld = true
    for note in 0..<128 where keyPressures[note].packet >= first {
      if bytes.count == start { bytes.append(0) }
      let old = keyPressures[note].packet != previous
      isOld = isOld && old
      bytes.append(UInt8(note) | (old ? 0x80 : 0))
      bytes.append(keyPressures[note].value)
    }
    guard bytes.count > start else { return nil }
    bytes[start] = UInt8((bytes.count - start - 1) / 2 - 1) | (isOld ? 0x80 : 0)
    return isOld
  }
}

extension JournalParameters {
  /// Appends chapter M (parameters); returns true if the previous packet changed no parameter.
  fileprivate func write(to bytes: inout [UInt8], first: Int, previous: Int) -> Bool {
    let start = bytes.count
    let isOld = packet != previous
    bytes.append(isOld ? 0x80 : 0)
    bytes.append(0)
    if let pending = selection.pending {
      bytes[start] |= 0x40
      bytes.append(pending.value | (selection.isRegistered ? 0 : 0x80))
    }
    if selection.parameter != nil { bytes[start] |= 0x20 }
    let logs = logs.span
    for index in 0..<count where logs[index].packet >= first {
      let log = logs[index]
      bytes.append(log.parameter.number.low.value | (log.packet != previous ? 0x80 : 0))
      bytes.append(log.parameter.number.high.value | (log.parameter.isRegistered ? 0 : 0x80))
      let (hasHigh, hasLow) = (log.entry.high < 0x80, log.entry.low < 0x80)
      let steps = hasForgotten && !hasHigh && !hasLow ? nil : log.steps
      bytes.append(
        (hasHigh ? 0x80 : 0) | (hasLow ? 0x40 : 0) | (steps != nil ? 0x20 : 0) | 0x02)
      if hasHigh { bytes.append(log.entry.high) }
      if hasLow { bytes.append(log.entry.low) }
      if let steps {
        let size = steps.magnitude
        bytes.append((steps < 0 ? 0x80 : 0) | UInt8(size >> 8))
        bytes.append(UInt8(size & 0xFF))
      }
    }
    let length = bytes.count - start
    bytes[start] |= UInt8(length >> 8)
    bytes[start + 1] = UInt8(length & 0xFF)
    return isOld
  }
}
