import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRig
import MoRuntime
import Testing

@Suite("Several sensors of one device")
struct SharedSourceTests {
  private let network = FakeNetwork()
  private let logged = Locked<[String]>([])

  private func rig(_ text: String) throws -> Rig {
    var options = RunOptions()
    options.quiet = true
    return Rig(
      reading(text), machine: "pi", in: Run(options, waitsForDevices: true), on: network,
      log: { [logged] _, text in logged.withLock { $0.append(text) } })
  }

  private func reading(_ text: String) -> RigReading {
    RigReader.reading("[rig]\nstatistics = 0\nto = pc.local:9000\n" + text, file: "rig.conf")
  }

  private func count(_ address: String) -> Int { network.messages.filter { $0.address == address }.count }

  @Test("sends two channels of one board to their addresses, each with its own rate and dead band")
  func channels() throws {
    let board = try SerialBoard()
    let rig = try rig(
      """
      [sensor light]
      source = serial:\(board.path)
      channel = light
      address = /foyer/light
      [sensor knob]
      source = serial:\(board.path)
      channel = knob
      address = /foyer/knob
      dead-band = 0.5
      """)
    try rig.start()
    defer { rig.stop() }
    var lines = 0
    let hasCome = until(
      { count("/foyer/light") >= 100 && count("/foyer/knob") >= 4 },
      doing: {
        board.send("light: \(lines)\nknob \(lines / 25)\n")
        lines += 1
      })
    #expect(hasCome, "light \(count("/foyer/light")), knob \(count("/foyer/knob"))")
    // The knob changes with every twenty-fifth line.
    let knob = network.messages.filter { $0.address == "/foyer/knob" }.map { $0.arguments[0].number ?? -1 }
    #expect(zip(knob, knob.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(knob)")
    // Each line is read once: no sensor consumes the lines of another.
    let light = network.messages.filter { $0.address == "/foyer/light" }.map { $0.arguments[0].number ?? -1 }
    #expect(zip(light, light.dropFirst()).allSatisfy { $1 == $0 + 1 })
  }

  @Test("keeps two boards apart if their links lead to each other's ports at a reload")
  func swapped() throws {
    let boards = [try SerialBoard(), try SerialBoard()]
    let place = "/tmp/momu-boards-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let links = ["\(place)-1", "\(place)-2"]
    defer { for link in links { unlink(link) } }
    for (link, board) in zip(links, boards) { symlink(board.path, link) }
    func sensor(_ name: String, _ link: String) -> String {
      "[sensor \(name)]\nsource = serial:\(link)\nchannel = v\naddress = /\(name)\n"
    }
    let text = sensor("a", links[0]) + sensor("b", links[1])
    func send() { for (number, board) in boards.enumerated() { board.send("v \(number + 1)\n") } }
    func values(_ address: String) -> Set<Double> {
      Set(network.messages.filter { $0.address == address }.compactMap { $0.arguments[0].number })
    }
    let rig = try rig(text)
    try rig.start()
    defer { rig.stop() }
    #expect(until({ count("/a") >= 3 && count("/b") >= 3 }, doing: send))
    // After a power failure of a hub, the kernel may number the boards in another order.
    for link in links { unlink(link) }
    for (link, board) in zip(links, boards.reversed()) { symlink(board.path, link) }
    rig.apply(reading("# a line more\n" + text))
    rig.update()
    network.state.withLock { $0.sent = [] }
    #expect(until({ count("/a") >= 3 && count("/b") >= 3 }, doing: send))
    #expect(values("/a") == [1] && values("/b") == [2])
  }

  @Test("sends each line of a reader once, as an OSC string")
  func text() throws {
    let board = try SerialBoard()
    let rig = try rig("[text tag]\nsource = serial:\(board.path)?baud=9600\n")
    try rig.start()
    defer { rig.stop() }
    var tags = 0
    let hasCome = until(
      { count("/momu/text/tag") >= 3 },
      doing: {
        board.send("\u{2}0415AB\(tags)\r\n\u{3}")
        tags += 1
      })
    #expect(hasCome)
    let texts = network.messages.filter { $0.address == "/momu/text/tag" }.map { $0.arguments[0].text ?? "" }
    let first = try #require(texts.first.flatMap { Int($0.dropFirst(6)) })
    #expect(texts == texts.indices.map { "0415AB\(first + $0)" })
  }

  @Test("rejects two speeds, or text and numbers, on one port, and names both sensors")
  func conflict() throws {
    let board = try SerialBoard()
    let link = "/tmp/momu-port-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    symlink(board.path, link)
    defer { unlink(link) }
    func problems(_ text: String) -> [String] {
      RigReader.reading("[rig]\nto = a:9\n" + text, file: "rig.conf").problems.map(\.description)
    }
    let slow = "[sensor a]\nsource = serial:\(board.path)?baud=9600\n"
    #expect(
      problems(slow + "[sensor b]\nsource = serial:\(link)\naddress = /b\n") == [
        "rig.conf:5: [sensor b] and [sensor a] in line 3 read the same port at 115200 and 9600 baud: a port has one "
          + "speed: write the board's speed in both, such as ?baud=9600"
      ])
    #expect(
      problems(slow + "[text b]\nsource = serial:\(link)?baud=9600\n") == [
        "rig.conf:5: [text b] and [sensor a] in line 3 read the same port, one as text and one as numbers: remove "
          + "one, or give each its own port"
      ])
    #expect(problems(slow + "[sensor b]\nsource = serial:\(link)?baud=9600\naddress = /b\n") == [])
  }

  @Test("rejects two network ports, and names both sensors")
  func networkPorts() {
    func problems(_ second: String) -> [String] {
      RigReader.reading(
        "[rig]\nto = a:9\n[accel left]\nsource = net:9000\n[accel right]\nsource = \(second)\n",
        file: "rig.conf"
      ).problems.map(\.description)
    }
    #expect(
      problems("net:9001") == [
        "rig.conf:5: [accel right] and [accel left] in line 3 listen on the ports 9001 and 9000: a rig listens on a "
          + "single port for its sensors: write source = net:9000 in both, and set this port in the senders"
      ])
    #expect(problems("net:9000") == [] && problems("net") == [] && problems("sim:tilt") == [])
  }

  @Test("leaves out only the sensors whose port differs from the port of the first sensor")
  func otherPorts() {
    func lines(_ sources: [String]) -> [Int] {
      let sensors = sources.enumerated().map { "[sensor s\($0)]\nsource = \($1)\naddress = /s\($0)\n" }
      let reading = RigReader.reading("[rig]\nto = a:9\n" + sensors.joined(), file: "rig.conf")
      #expect(reading.problems.count == sources.count - reading.configuration.streams.count)
      return reading.configuration.streams.map(\.line)
    }
    #expect(lines(["net:9000", "net:9001", "net:9000"]) == [3, 9])
    let port = "serial:/dev/ttyNone?baud="
    #expect(lines([port + "9600", port + "115200", port + "9600"]) == [3, 9])
  }
}
