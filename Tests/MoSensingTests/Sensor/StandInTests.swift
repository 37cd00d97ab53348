import MoCore
import MoRuntime
import MoSensing
import Testing

@Suite("A device that replaces a stand-in")
struct StandInTests {
  private let folder = FakeFolder([:])

  /// A kind of sensor whose stand-in repeats a reading, and whose silent device exists if `folder` has the file
  /// `device`.
  private func kind<Reading: SensorReading>(
    _ reading: @escaping @Sendable (HostTime) -> Reading
  ) -> SensorKind<Reading> {
    let path = folder.path
    return SensorKind(
      option: "fake", noun: "a fake",
      rows: [
        SensorRow(
          "fake", forms: ["fake:1"], folder: path,
          devices: {
            SystemFiles.names(in: path).contains("device")
              ? [NamedDevice(name: "fake:1", about: "a device", isReal: true)] : []
          },
          open: { _, opening in
            let start = opening.run.clock.now
            return OpenSource(
              SimulatedSource("silent", start: start, deliver: opening.deliver) { _, _ in [] })
          })
      ],
      standIn: { opening, _ in
        OpenSource(
          SimulatedSource("player", start: opening.run.clock.now, deliver: opening.deliver) {
            [reading($1)]
          })
      })
  }

  /// A run in real time, since stand-ins in an offline run play to the end.
  private var run: Run {
    var options = RunOptions()
    options.quiet = true
    return Run(options)
  }

  /// Plugs the device in after the stand-in's first reading, and waits until the sensor reads the device.
  ///
  /// Each minute is a timeout, not a measurement.
  private func plugIn(_ hasRead: WakeEvent, _ events: CallbackList<SensorEvent>) throws {
    let isUsed = WakeEvent()
    events.add { if case .using = $0 { isUsed.raise() } }
    try #require(hasRead.wait(for: .seconds(60)))
    folder.write("device", "")
    try #require(isUsed.wait(for: .seconds(60)))
  }

  @Test("cancels the finger that the stand-in held down")
  func finger() throws {
    let server = TouchServer(kind { Touch(time: $0, id: 1, phase: .moved, x: 0.5, y: 0.5) })
    let hasRead = WakeEvent()
    let heard = Collected<Touch.Phase>()
    server.callbacks.add { change in
      for finger in change.changed { heard.add(finger.phase) }
      hasRead.raise()
    }
    try server.start(source: nil, in: run)
    defer { server.stop() }
    try plugIn(hasRead, server.sensorInput.events)
    #expect(server.fingers.isEmpty)
    #expect(heard.all.first == .began && heard.all.last == .cancelled)
  }

  @Test("releases the button that the stand-in pressed, once")
  func button() throws {
    let server = SensorServer<Button>(kind { Button(time: $0, code: 0x130, isPressed: true) })
    let hasRead = WakeEvent()
    let heard = Collected<Button>()
    server.callbacks.add {
      heard.add($0)
      hasRead.raise()
    }
    try server.start(source: nil, in: run)
    try plugIn(hasRead, server.sensorInput.events)
    server.stop()
    let releases = heard.all.filter { !$0.isPressed }
    #expect(releases.map(\.code) == [0x130] && heard.all.last == releases.first)
  }

  @Test("a stop releases the pressed buttons, at the time of the last reading or later")
  func stop() throws {
    let server = SensorServer<Button>(.buttons)
    let heard = Collected<Button>()
    server.callbacks.add { heard.add($0) }
    for (second, code, isPressed) in [(1.0, 30, true), (2, 31, true), (3, 30, false)] as [(_, UInt16, _)] {
      server.receive(Button(time: HostTime(seconds: second), code: code, isPressed: isPressed))
    }
    server.stop()
    server.stop()
    #expect(heard.all.count == 4)
    #expect(heard.all.last == Button(time: HostTime(seconds: 3), code: 31, isPressed: false))
  }
}
