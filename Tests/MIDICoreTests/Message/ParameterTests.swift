import MIDICore
import Testing

@Suite("MIDI values, pairs and parameters")
struct ParameterTests {
  private func read(_ messages: [(UInt8, UInt8)], channel: MIDIChannel = 3) -> [MIDIParameterChange] {
    var reader = MIDIParameterReader()
    return messages.compactMap { number, value in
      reader.read(.control(channel, MIDIUInt7(lowBitsOf: number), MIDIUInt7(lowBitsOf: value)))
    }
  }

  @Test("exclude channels and numbers that MIDI does not have")
  func values() {
    #expect(
      MIDIChannel(exactly: 16) == nil && MIDIChannel(exactly: -1) == nil
        && MIDIChannel(exactly: 15)?.number == 16)
    #expect(
      MIDIUInt7(exactly: 128) == nil && MIDIUInt7(exactly: -1) == nil && MIDIUInt7(exactly: 127)?.value == 127
    )
    #expect(
      MIDIUInt14(exactly: 16_384) == nil && MIDIUInt14(exactly: -1) == nil
        && MIDIUInt14(exactly: 16_383)?.high == 127)
    #expect(MIDIMessage(status: 0x90, 128, 0) == nil && MIDIMessage(status: 0x90, 0, 128) == nil)
  }

  @Test("join controllers 0 to 31 with 32 to 63, and a high part alone sets the low part to 0")
  func pairs() {
    #expect(
      read([(1, 64), (33, 5), (1, 65)]) == [
        .control(3, 1, MIDIUInt14(high: 64, low: 0)), .control(3, 1, MIDIUInt14(high: 64, low: 5)),
        .control(3, 1, MIDIUInt14(high: 65, low: 0)),
      ])
  }

  @Test("read the bend range in the specification's form, and steps")
  func bendRange() {
    #expect(
      read([(101, 0), (100, 0), (6, 12), (38, 50), (96, 0), (97, 0)]) == [
        .value(3, .bendRange, MIDIUInt14(high: 12, low: 0)),
        .value(3, .bendRange, MIDIUInt14(high: 12, low: 50)),
        .step(3, .bendRange, 1), .step(3, .bendRange, -1),
      ])
  }

  @Test("set nothing without a selected parameter, or across kinds")
  func nothingSelected() {
    #expect(read([(6, 12), (38, 1), (96, 0)]).isEmpty)
    #expect(read([(101, 0), (100, 0), (101, 127), (100, 127), (6, 12)]).isEmpty)
    #expect(read([(101, 0), (98, 0), (6, 12)]).isEmpty)
    #expect(read([(101, 0), (6, 12)]).isEmpty)
    #expect(read([(101, 0), (100, 0), (121, 0), (6, 12)]).isEmpty)
  }

  @Test("read their own output, for every kind and extreme number")
  func roundTrip() {
    for isRegistered in [true, false] {
      for number in [0, 1, 127, 128, 16_382] {
        for value in [0, 127, 128, 16_383] {
          let parameter = MIDIParameter(isRegistered: isRegistered, MIDIUInt14(clamping: number))
          var reader = MIDIParameterReader()
          var last: MIDIParameterChange?
          parameter.write(MIDIUInt14(clamping: value), on: 9) { last = reader.read($0) ?? last }
          #expect(last == .value(9, parameter, MIDIUInt14(clamping: value)))
          #expect(reader.selected(on: 9) == nil)
        }
      }
    }
    var reader = MIDIParameterReader()
    var last: MIDIParameterChange?
    MIDIMessage.controlPair(2, 7, 9999) { last = reader.read($0) }
    #expect(last == .control(2, 7, 9999))
  }
}
