import Glibc
import MoCore
import MoOSC
import MoRuntime
import Testing

@testable import MoSensing

/// A board: the other end of a pseudo-terminal.
private final class Board {
  let path: String
  private var board: Int32

  init() throws {
    board = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // The header declares these for GNU programs only.
    typealias Call = @convention(c) (Int32) -> Int32
    typealias Name = @convention(c) (Int32) -> UnsafePointer<CChar>?
    let unlock = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "unlockpt"))
    let name = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "ptsname"))
    try #require(board >= 0 && unsafeBitCast(unlock, to: Call.self)(board) == 0)
    path = String(cString: try #require(unsafeBitCast(name, to: Name.self)(board)))
  }

  func send(_ bytes: [UInt8]) { #expect(write(board, bytes, bytes.count) == bytes.count) }
  func send(_ text: String) { send(Array(text.utf8)) }

  func unplug() {
    close(board)
    board = -1
  }

  deinit { if board >= 0 { close(board) } }
}

@Suite("A board on a serial line")
struct SerialTests {
  private func read(_ text: String) -> [SerialValue] {
    var decoder = SerialDecoder(beginsAnywhere: false)
    return decoder.decode(Array(text.utf8))
  }

  private func value(_ channel: String, _ value: Float) -> SerialValue {
    SerialValue(channel: channel, value: value)
  }

  @Test("a line of numbers gives a channel for each, whatever the separators")
  func numbers() {
    for line in ["512 0.3 -7\n", "512,0.3,-7\r\n", "512\t0.3;  -7\n", "5.12e2, .3, -7.0\n"] {
      #expect(read(line) == [value("1", 512), value("2", 0.3), value("3", -7)])
    }
  }

  @Test("reads a name and its numbers")
  func names() {
    for line in ["knob 0.5\n", "knob: 0.5\n", "knob=0.5\n", "knob,0.5\r\n"] {
      #expect(read(line) == [value("knob", 0.5)])
    }
    #expect(read("acc 1 2 3\n") == [value("acc/1", 1), value("acc/2", 2), value("acc/3", 3)])
  }

  @Test(
    "ignores other lines",
    arguments: [
      "\n", "hello\n", "hello world\n", "1 two 3\n", "nan\n", "1 inf\n", "0x1F\n", "0X1F\n", "1\0" + "5\n",
      "knob 1\0\n", "--\n", "1.2.3\n",
      "\u{7}\n",
    ])
  func garbage(line: String) { #expect(read(line).isEmpty) }

  @Test("drops a first line without its beginning, and uses no memory for a line without end")
  func broken() {
    var decoder = SerialDecoder()
    #expect(decoder.decode(Array("23 7\n".utf8)).isEmpty)
    #expect(decoder.decode(Array("123 7\n".utf8)).count == 2)
    for _ in 0..<1000 { #expect(decoder.decode(Array(repeating: UInt8(ascii: "9"), count: 100)).isEmpty) }
    #expect(decoder.decode(Array("\n5\n".utf8)) == [value("1", 5)])
    #expect(decoder.dropped == 0)
  }

  @Test("reads OSC framed by SLIP, after the board's greeting and after noise")
  func slip() throws {
    var decoder = SerialDecoder()
    #expect(decoder.decode(Array("ets Jul 29 2019\r\n".utf8)).isEmpty)
    func packet(_ message: OSCMessage) throws -> [UInt8] {
      OSCSlip.frame(try OSCPacket.message(message).encoded())
    }
    let knob = try packet(OSCMessage("/knob", [.float(0.25)]))
    #expect(decoder.decode(knob) == [value("/knob", 0.25)])
    #expect(
      decoder.decode(try packet(OSCMessage("/xy", [.int32(3), .float(4)]))) == [
        value("/xy/1", 3), value("/xy/2", 4),
      ])
    // DB 00 is not a valid escape (RFC 1055).
    #expect(decoder.decode([0xC0, 0xDB, 0x00, 0xC0]).isEmpty)
    #expect(decoder.decode([0xC0, 1, 2, 3, 0xC0]).isEmpty)
    #expect(decoder.dropped >= 2)
    #expect(decoder.decode(knob) == [value("/knob", 0.25)])
  }

  @Test(
    "a noise byte that could begin a packet costs only the line that contains it",
    arguments: [
      ("\n5 0.5\n", ["1", "2"]), ("5 0.\n5\n", ["1"]), ("knob\n/knob 0.5\n", ["/knob"]), ("/a\n7\n", ["1"]),
      ("\r\n5\r\n", ["1"]),
    ])
  func noiseInText(after text: String, channels: [String]) throws {
    var decoder = SerialDecoder(beginsAnywhere: false)
    _ = decoder.decode(Array("1 2\n3".utf8))
    #expect(decoder.decode([0xC0] + Array(text.utf8)).map(\.channel) == channels)
    #expect(decoder.decode(Array("8\n".utf8)) == [value("1", 8)])
    // Packets are still read, and may contain a line end.
    let packet = OSCSlip.frame(try OSCPacket.message(OSCMessage("/x", [.int32(10)])).encoded())
    #expect(decoder.decode(packet + packet) == [value("/x", 10), value("/x", 10)])
  }

  @Test("ignores OSC packets with NaN or infinity")
  func packetNumbers() throws {
    var state: UInt64 = 1
    var decoder = SerialDecoder(beginsAnywhere: false)
    var heard = 0
    for round in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      let bits = UInt32(truncatingIfNeeded: state >> 32)
      let one = round % 4 == 0 ? bits | 0x7F80_0000 : bits
      let message = OSCMessage(
        "/x", [.float(1), .float(Float(bitPattern: one)), .double(Double(bits) * 1e30)])
      for said in decoder.decode(OSCSlip.frame(try OSCPacket.message(message).encoded())) {
        #expect(said.value.isFinite)
        heard += 1
      }
    }
    #expect(heard > 0 && decoder.dropped == 0)
    let huge = try OSCPacket.message(OSCMessage("/x", [.double(1e300)])).encoded()
    #expect(decoder.decode(OSCSlip.frame(huge)).isEmpty)
  }

  @Test("survives every byte of noise")
  func noise() {
    var state: UInt64 = 1
    var decoder = SerialDecoder()
    for _ in 0..<100_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      for said in decoder.decode([UInt8(truncatingIfNeeded: state >> 33)]) { #expect(said.value.isFinite) }
    }
  }

  @Test("reads a pseudo-terminal's numbers with their times, and reports a hang-up")
  func port() throws {
    let board = try Board()
    let heard = Collected<ChannelReading>()
    let source = try SerialSource(board.path) { heard.add($0) }
    board.send("old\nlight 300\nlight 301\n")
    try wait(source, until: { heard.all.count == 2 })
    #expect(heard.all.map(\.value) == [300, 301])
    #expect(heard.all.allSatisfy { $0.channel.text == "light" && $0.time == HostTime(seconds: 3) })
    board.unplug()
    let error = #expect(throws: SensorError.self) { try wait(source, until: { false }) }
    #expect(error?.description.hasPrefix("serial:\(board.path) went away (") == true)
  }

  @Test("reports an unplugged board, and reads it again when it is back under its name")
  func reconnected() throws {
    let folder = FakeFolder([:])
    let port = "\(folder.path)/ttyACM0"
    let kind = SensorKind<ChannelReading>(
      option: "MoSensor", noun: "a sensor", rows: [SerialSource.row(folder: folder.path)],
      standIn: { _, _ in throw SensorError.other("") })
    #expect(kind.devices().isEmpty)
    let server = SensorServer(kind)
    let heard = Collected<String>()
    let news = WakeEvent()
    func wait(for what: String) {
      while !heard.all.contains(what), news.wait(for: .seconds(60)) {}
      #expect(heard.all.contains(what))
    }
    server.callbacks.add { reading in
      heard.add("\(reading.channel.text) \(reading.value)")
      news.raise()
    }
    server.sensorInput.events.add { event in
      switch event {
      case .using: heard.add("using")
      case .lost: heard.add("lost")
      case .recordingEnded: break
      }
      news.raise()
    }
    var options = RunOptions()
    options.quiet = true
    let board = try Board()
    #expect(symlink(board.path, port) == 0)
    #expect(kind.devices().map(\.name) == ["serial:\(port)"])
    try server.start(source: "serial:\(port)", in: Run(options))
    board.send("\nknob 1\n")
    wait(for: "knob 1.0")
    board.unplug()
    wait(for: "lost")
    unlink(port)
    let again = try Board()
    #expect(symlink(again.path, port) == 0)
    wait(for: "using")
    again.send("\nknob 2\n")
    wait(for: "knob 2.0")
    server.stop()
  }

  /// Services a source as the input loop does: whenever its descriptor is ready.
  private func wait(_ source: SerialSource, until done: () -> Bool) throws {
    while !done() {
      var request = pollfd(fd: source.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
      try #require(poll(&request, 1, 10_000) == 1)
      try source.service(until: HostTime(seconds: 3))
    }
  }

  @Test("refuses ports that cannot be opened, with advice")
  func refused() throws {
    let missing = #expect(throws: SensorError.self) { try SerialSource("/dev/ttyACM99") { _ in } }
    #expect(
      missing?.description
        == "no device /dev/ttyACM99: plug the board in, then type ls /dev/ttyACM* /dev/ttyUSB* to see its name"
    )
    let wrong = #expect(throws: SensorError.self) { try SerialSource("/dev/null") { _ in } }
    #expect(
      wrong?.description
        == "/dev/null is not a serial port: ls /dev/ttyACM* /dev/ttyUSB* lists the ports")
    let speed = #expect(throws: SensorError.self) { try SerialSource("/dev/null?baud=300") { _ in } }
    #expect(
      speed?.description
        == "unknown setting \"baud=300\" for serial:PATH: use ?baud= and 9600, 19200, 38400, 57600, 115200, "
        + "230400, 460800 or 921600")
    #expect(
      SensorError.noPermission(path: "/dev/ttyACM0").description
        == "no access to /dev/ttyACM0: add yourself to the group 'dialout': sudo usermod -aG dialout $USER, then log "
        + "in again")
  }
}

@Suite("Any sensor")
struct ChannelTests {
  @Test("reads light, distance and voltages by the kernel's names, in its units")
  func iio() throws {
    let folder = FakeFolder([
      "name": "board", "in_illuminance_raw": "250", "in_illuminance_scale": "0.1",
      "in_voltage0_raw": "2048", "in_voltage_scale": "0.805", "in_voltage1_raw": "100",
      "in_voltage1_offset": "-50",
      "in_temp_input": "21500", "in_temp_scale": "7",
    ])
    let heard = Collected<ChannelReading>()
    let clock = ManualClock()
    let source = try IIOChannels(IIODevice(folder.path), clock: clock) { heard.add($0) }
    try source.service(until: clock.now)
    let values = heard.all.map { "\($0.channel.text) \(($0.value * 100).rounded() / 100)" }.sorted()
    #expect(values == ["illuminance 25.0", "temp 21500.0", "voltage0 1648.64", "voltage1 40.25"])
    #expect(source.nextTime == HostTime(nanoseconds: 20_000_000))
  }

  @Test("a program that waits for devices refuses a chip none of whose channels can be read")
  func silentChip() throws {
    // The attributes of a chip that fell off its bus are still there, but their reads fail.
    let folder = FakeFolder(["name": "bmp280", "in_pressure_input": "", "in_temp_input": ""])
    let error = #expect(throws: SensorError.self) {
      try IIOChannels(IIODevice(folder.path), clock: ManualClock(), mustAnswer: true) { _ in }
    }
    _ = try IIOChannels(IIODevice(folder.path), clock: ManualClock()) { _ in }
    #expect(
      error?.description
        == "iio:\(folder.path) has no channel that can be read: check its wires, or end the program that reads "
        + "it")
    folder.write("in_temp_input", "21500")
    let source = try IIOChannels(IIODevice(folder.path), clock: ManualClock(), mustAnswer: true) { _ in }
    #expect(source.name == "iio:\(folder.path)")
  }

  @Test("leaves out a channel with an invalid scale, and reports it if there is no other")
  func nonsense() throws {
    let folder = FakeFolder([
      "name": "adc", "in_voltage0_raw": "3", "in_voltage0_scale": "nan", "in_voltage1_raw": "4",
    ])
    let heard = Collected<ChannelReading>()
    let clock = ManualClock()
    let source = try IIOChannels(IIODevice(folder.path), clock: clock) { heard.add($0) }
    try source.service(until: clock.now)
    #expect(heard.all.map(\.channel.text) == ["voltage1"] && heard.all.map(\.value) == [4])
    folder.remove("in_voltage1_raw")
    let error = #expect(throws: SensorError.self) {
      try IIOChannels(IIODevice(folder.path), clock: clock) { heard.add($0) }
    }
    #expect(
      error?.description.hasPrefix(
        "\(folder.path)/in_voltage0_scale contains \"nan\", which is not a valid scale") == true
    )
  }

  @Test("two sensors share a source, and each receives its own channel")
  func shared() throws {
    let path = "/tmp/momu-sensor-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "a test")
    for step in 0..<10 {
      let channel = step % 2 == 0 ? "left" : "right"
      try tape.write(
        OSCMessage("/momu/sensor", [.string(channel), .float(Float(step))]),
        atNanoseconds: Int64(step) * 1_000_000)
    }
    try tape.close()
    let run = offlineRun()
    let left = try MoSensor("tape:\(path)", "left", in: run)
    let right = try MoSensor("tape:\(path)", "right", in: run)
    let (values, times) = (Collected<Float>(), Collected<HostTime>())
    left.addCallback { value, time in
      values.add(value)
      times.add(time)
    }
    play(run, seconds: 1)
    #expect(values.all == [0, 2, 4, 6, 8])
    #expect(times.all == values.all.map { HostTime(nanoseconds: Int64($0) * 1_000_000) })
    #expect(left.value == 8 && right.value == 9 && right.time == HostTime(nanoseconds: 9_000_000))
  }

  @Test("a sensor that joins a source later has the present value of its channel")
  func joined() throws {
    let path = "/tmp/momu-sensor-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "a test")
    for (channel, value, time) in [("a", 1, 1), ("b", 2, 2), ("a", 3, 1_000_000_000)] as [(_, Float, Int64)] {
      try tape.write(OSCMessage("/momu/sensor", [.string(channel), .float(value)]), atNanoseconds: time)
    }
    try tape.close()
    let run = offlineRun()
    let first = try MoSensor("tape:\(path)", "a", in: run)
    play(run, seconds: 0.5)
    #expect(first.value == 1)
    let second = try MoSensor("tape:\(path)", "b", in: run)
    #expect(second.value == 2 && second.time == HostTime(nanoseconds: 2))
    #expect(try MoSensor("tape:\(path)", nil, in: run).value == 2)
    #expect(try MoSensor("tape:\(path)", "c", in: run).value == 0)
  }

  @Test("the last sensor of a source closes it")
  func letGo() throws {
    let path = "/tmp/momu-sensor-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "a test")
    try tape.write(OSCMessage("/momu/sensor", [.string("a"), .float(1)]), atNanoseconds: 5)
    try tape.close()
    let run = offlineRun()
    do {
      let first = try MoSensor("tape:\(path)", "a", in: run)
      do {
        let second = try MoSensor("tape:\(path)", nil, in: run)
        #expect(run.input.nextTime != nil && second.value == 0)
      }
      #expect(run.input.nextTime != nil)
      play(run, seconds: 1)
      #expect(first.value == 1)
    }
    let again = try MoSensor("tape:\(path)", "a", in: run)
    #expect(run.input.nextTime != nil && again.value == 0)
  }

  @Test(
    "refuses values that are NaN, infinite or too large",
    arguments: [OSCArgument.float(.nan), .float(.infinity), .double(-1e300), .double(.nan)])
  func noNumbers(value: OSCArgument) {
    #expect(ChannelReading(time: .zero, arguments: [.string("x"), value]) == nil)
    for place in 0..<4 {
      var numbers: [OSCArgument] = [.float(1), .float(0), .float(0), .float(0)]
      numbers[place] = value
      #expect(Orientation(time: .zero, arguments: numbers) == nil)
      numbers.remove(at: (place + 1) % 4)
      #expect(Rotation(time: .zero, arguments: numbers) == nil)
      #expect(Field(time: .zero, arguments: numbers) == nil)
      #expect(AccelReading(time: .zero, arguments: numbers) == nil)
    }
  }

  @Test("refuses an unknown source, and lists the known ones")
  func refused() {
    let error = #expect(throws: SensorError.self) { try MoSensor("usb:3", nil, in: offlineRun()) }
    #expect(
      error?.description
        == "unknown source \"usb:3\" for MoSensor: use serial:PATH, iio:N, evdev:PATH, gpio:CHIP/LINE, w1:ID, net, "
        + "sim:wave, sim:steps or tape:FILE"
    )
  }
}

@Suite("Other formats that boards print")
struct SerialFormatTests {
  private func read(_ text: String) -> (values: [SerialValue], dropped: Int) {
    var decoder = SerialDecoder(beginsAnywhere: false)
    return (decoder.decode(Array(text.utf8)), decoder.dropped)
  }

  private func value(_ channel: String, _ value: Float) -> SerialValue {
    SerialValue(channel: channel, value: value)
  }

  @Test("a line of JSON has a channel for each number, named by its path")
  func json() {
    let (values, dropped) = read(
      "{\"temp\":21.5, \"acc\": {\"x\": -1, \"y\": 2e1}, \"pads\": [3, 4], \"on\": true, \"tag\": \"a\\\"b\", \"no\": null}\r\n"
    )
    #expect(
      values == [
        value("temp", 21.5), value("acc/x", -1), value("acc/y", 20), value("pads/1", 3), value("pads/2", 4),
        value("on", 1),
      ])
    #expect(dropped == 0)
  }

  @Test(
    "counts incomplete JSON and takes no values from it",
    arguments: [
      "{\"temp\":21.5", "{\"temp\" 21.5}", "{temp:21.5}", "{\"a\":1}}", "{\"a\":nan}", "{\"a\":1,}", "{}",
      "{\"a\":\"b\"}",
      "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}}",
    ])
  func brokenJSON(_ line: String) {
    let (values, dropped) = read(line + "\n")
    #expect(values.isEmpty && dropped == 1)
  }

  @Test("a table's first line names the channels of lines with as many numbers, and of no others")
  func table() {
    let (values, dropped) = read("temp,light\n21.5,300\n1,2,3\n22,301\n")
    #expect(
      values == [
        value("temp", 21.5), value("light", 300), value("1", 1), value("2", 2), value("3", 3),
        value("temp", 22),
        value("light", 301),
      ])
    #expect(dropped == 0)
  }

  private func warnings(_ text: String, seconds: Int = 60) -> [String] {
    var decoder = SerialDecoder()
    var lineCheck = UnreadableLineNotice()
    return (0..<seconds).compactMap { second in
      decoder.decode(Array(text.utf8).span) { _, _ in }
      return lineCheck.check(decoder, as: "serial:/dev/board", now: HostTime(seconds: Double(second)))
    }
  }

  @Test("reports a board without numbers once, with a line as an example and the expected format")
  func wrongFormat() {
    #expect(
      warnings("T=21.5C\n") == [
        "serial:/dev/board sends lines without numbers, such as \"T=21.5C\": have it print knob 0.3, 512 0.3 7, or "
          + "{\"knob\": 0.3}"
      ])
  }

  @Test("reports a board at another speed once, with the setting for it")
  func wrongSpeed() {
    let told = warnings("\u{6}\u{1E}\u{18}\u{78}\u{6}\u{2}\n")
    #expect(told.count == 1 && told[0].contains("sends noise") && told[0].contains("?baud=9600"))
    #expect(warnings(String(repeating: "\u{6}\u{1E}\u{2}", count: 200)).count == 1)
  }

  @Test("does not report a board that greets, then sends numbers")
  func greeting() {
    var decoder = SerialDecoder()
    var lineCheck = UnreadableLineNotice()
    decoder.decode(Array("\nhello\nboard 3 ready!\nv2 beta\n".utf8).span) { _, _ in }
    for second in 0..<60 {
      decoder.decode(Array("knob 0.3\n".utf8).span) { _, _ in }
      #expect(
        lineCheck.check(decoder, as: "serial:/dev/board", now: HostTime(seconds: Double(second))) == nil)
    }
  }
}
