import MoCore
import MoRuntime

/// A single value of any sensor: a knob on a board, the light, a distance, a stick.
///
/// ```swift
/// let knob = try MoSensor("serial:/dev/ttyACM0", "knob")
/// let light = try MoSensor("iio:0", "illuminance")
/// try MoAudio.start(Sine(frequency: 440)) { sine, block in … knob.value … }
/// ```
///
/// | source | values |
/// |---|---|
/// | `serial:PATH` | a board that sends OSC, lines of numbers, or lines of a name and its numbers |
/// | `iio:N` | light, distance, voltages: all channels of Industrial I/O |
/// | `evdev:PATH` | any axis, by the kernel's name, such as `ABS_X` |
/// | `gpio:CHIP/LINE` | an input line: 0 or 1 |
/// | `w1:ID` | a thermometer on a 1-Wire bus |
/// | `sim:wave`, `sim:steps` | simulated values |
/// | `net` | messages `/momu/sensor ,sf` from the network: a name and its value |
/// | `tape:FILE` | a recording |
///
/// Keep the object: reading and callbacks end when the program no longer holds it. Instances of `MoSensor` with the
/// same source share it: the source is opened only once. If another instance has received the present value of a channel
/// already, a new instance has this value from its start.
///
/// - Thread: any but the audio callback, unless a member states otherwise.
public final class MoSensor: Sendable {
  /// The name of the channel that is read; nil if all channels of the source are read.
  public let channel: String?
  private let hub: SensorHub
  private let latest = LatestValue<Latest>(Latest(time: .zero, value: 0))
  private let callbacks = CallbackList<Latest>()
  private let token: MoToken

  private struct Latest: BitwiseCopyable, Sendable {
    var time: HostTime
    var value: Float
  }

  /// Starts to read a channel of a source; reading ends when the program no longer holds the object.
  ///
  /// - Parameters:
  ///   - source: a source that `MoSensor` describes, such as `serial:/dev/ttyACM0`.
  ///   - channel: the name of the channel; nil for all channels of the source.
  /// - Throws: `SensorError`, whose text says what to do; `NetError` for the source `net`.
  public convenience init(_ source: String, _ channel: String? = nil) throws {
    try self.init(source, channel, in: .current)
  }

  init(_ source: String, _ channel: String?, in run: Run) throws {
    self.channel = channel
    hub = SensorHub.of(source, in: run)
    let name = channel.map { ChannelName($0) }
    let (latest, callbacks) = (latest, callbacks)
    token = hub.join(
      name, present: { latest.store(Latest(time: $0.time, value: $0.value)) },
      receive: { reading in
        guard name == nil || reading.channel == name else { return }
        let new = Latest(time: reading.time, value: reading.value)
        latest.store(new)
        callbacks.call(new)
      })
    do {
      try hub.server.start(source: source, in: run)
    } catch {
      token.cancel()
      hub.leave()
      throw error
    }
  }

  /// Stops reading; the last `MoSensor` of a source closes the source.
  deinit {
    token.cancel()
    hub.leave()
  }

  /// The latest value of the channel, or of any channel if `channel` is nil; 0 before the first value.
  ///
  /// - Real-time safe: yes.
  public var value: Float { latest.load().value }

  /// The time of the latest value; `HostTime.zero` until a value arrives.
  ///
  /// - Real-time safe: yes.
  public var time: HostTime { latest.load().time }

  /// Calls `callback` with every new value of the channel, and with the time of its measurement.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-input`; in an offline run, on the main thread.
  @discardableResult
  public func addCallback(_ callback: @escaping @Sendable (_ value: Float, _ time: HostTime) -> Void)
    -> MoToken
  {
    callbacks.add { callback($0.value, $0.time) }
  }

  /// Calls `callback` when the source is lost or found, and with each report about the recording to a tape.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-input`, on `mo-disk`, or on the thread that creates a `MoSensor`.
  @discardableResult
  public func onEvent(_ callback: @escaping @Sendable (SensorEvent) -> Void) -> MoToken {
    hub.server.sensorInput.events.add(callback)
  }

  /// All sources on this machine from which a sensor can be read, in the form that `init` accepts.
  public static var sources: [String] { SensorKind.channels.devices().map(\.name) }
}

/// An open source, shared by all instances of `MoSensor` with this source.
private final class SensorHub: Sendable {
  let server = SensorServer<ChannelReading>(.channels)
  private let source: String
  private let run: Run
  /// The number of instances of `MoSensor` that share the source; guarded by the lock of `open`.
  private let users = Locked(0)
  private let listeners = CallbackList<ChannelReading>()
  /// The last reading of each channel, for instances that join later, since many devices report only changes.
  ///
  /// Invented names cannot fill the memory, since the number of names is limited (`ChannelName`).
  private let present = Locked<[ChannelName: ChannelReading]>([:])

  private static let open = Locked<[SensorHub]>([])

  static func of(_ source: String, in run: Run) -> SensorHub {
    open.withLock { hubs in
      let known = hubs.first { $0.source == source && $0.run === run }
      let hub = known ?? SensorHub(source, run)
      if known == nil { hubs.append(hub) }
      hub.users.withLock { $0 += 1 }
      return hub
    }
  }

  /// Adds a sensor that receives each reading from now on.
  ///
  /// - Parameters:
  ///   - channel: the sensor's channel; nil for all channels.
  ///   - present: called with the last reading of the channel, before `receive`; not called if there is none.
  func join(
    _ channel: ChannelName?, present setPresent: (ChannelReading) -> Void,
    receive: @escaping @Sendable (ChannelReading) -> Void
  ) -> MoToken {
    // Under the lock, so that no reading falls between the present one and the first that is received.
    present.withLock { readings in
      let last = channel.map { readings[$0] } ?? readings.values.max { $0.time < $1.time }
      if let last { setPresent(last) }
      return listeners.add(receive)
    }
  }

  /// Removes a sensor from the source; if it was the last sensor, the source is closed.
  func leave() {
    let isLast = SensorHub.open.withLock { hubs in
      let left = users.withLock { users in
        users -= 1
        return users
      }
      if left == 0 { hubs.removeAll { $0 === self } }
      return left == 0
    }
    if isLast { server.stop() }
  }

  private init(_ source: String, _ run: Run) {
    self.source = source
    self.run = run
    server.callbacks.add { [present, listeners] reading in
      present.withLock { $0[reading.channel] = reading }
      listeners.call(reading)
    }
    server.sensorInput.events.add { [present] event in
      if case .lost = event { present.withLock { $0 = [:] } }
    }
  }
}

extension SensorKind<ChannelReading> {
  package static let channels = SensorKind(
    option: "MoSensor", noun: "a sensor", choices: "serial:/dev/ttyACM0, iio:0 or evdev:NAME", curves: .named,
    rows: [
      SerialSource.row(), IIOChannels.row, EvdevAxes.row, GPIOSource.row, OneWireSource.row(),
      NetReadings.row(), ChannelReading.players,
      TapeSource.row,
    ],
    // The source of a sensor is always named.
    standIn: { _, _ in throw SensorError.other("a sensor needs a source, such as serial:/dev/ttyACM0") })
}
