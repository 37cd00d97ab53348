import MoCore
import MoOSC
import MoRuntime
import MoSensing

/// A device that is opened once, for all sensors of a configuration that read from the device.
///
/// Each channel of an IIO device is a source of its own: if the channel cannot be read, the other channels continue.
///
/// - Thread: any; readings arrive on the thread `mo-input`, which reads all sensors. At a stop, the releases of pressed
///   buttons arrive on the thread that stops the sensor.
package final class RigSource: Sendable {
  /// The identity of a device among the sensors of a configuration.
  ///
  /// A link such as `/dev/serial/by-id/…` counts as the port to which it leads at this moment. A key is not valid
  /// later, when the boards may have other numbers.
  package struct Key: Hashable, Sendable {
    let kind: AnySensorKind
    let source: String?
    /// The serial port that is read; nil for other sources.
    let port: Port?
    /// The channel that an IIO device's source reads, and how often; nil for other sources, which read all channels.
    package let need: ChannelNeed?

    struct Port: Hashable, Sendable {
      let path: String
      let baud: String
    }

    package init(_ stream: RigStream) {
      kind = stream.kind
      port = stream.source.flatMap { Key.port($0) }
      source = port.map { "serial:\($0.path)?baud=\($0.baud)" } ?? stream.source
      need = Key.need(stream)
    }

    /// Returns the channel of an IIO device that a sensor reads, and how often; nil for other sources.
    private static func need(_ stream: RigStream) -> ChannelNeed? {
      guard stream.kind.hasChannels, stream.source?.hasPrefix("iio:") == true else { return nil }
      // A filter and a dead band need the usual number of readings, however seldom the rig sends.
      let ruleSettings = stream.ruleSettings
      let sendsAll = ruleSettings.smooth == nil && ruleSettings.deadBand == nil
      return ChannelNeed(channel: stream.channel, rate: sendsAll ? ruleSettings.rate : nil)
    }

    /// Returns the port of a source such as `serial:/dev/ttyACM0?baud=115200`, with links under `/dev/serial` resolved;
    /// nil for any other source.
    private static func port(_ source: String) -> Port? {
      guard source.hasPrefix("serial:") else { return nil }
      let parts = source.dropFirst("serial:".count).split(separator: "?", maxSplits: 1)
      guard let path = parts.first.map({ String($0) }) else { return nil }
      let baud = parts.count == 2 ? parts[1].dropFirst("baud=".count) : "115200"
      return Port(path: SystemFiles.real(path) ?? path, baud: String(baud))
    }
  }

  private let key: Key
  /// The source as the configuration names it; nil for the best available.
  private let source: String?
  let sensor: AnySensor
  private let audience: Locked<Audience>
  private let state = Locked(State())

  /// The senders that get the readings, and the readings that a new sender gets.
  private struct Audience {
    var senders: [StreamSender]
    var present = PresentValues()
  }

  private struct State {
    var hasStarted = false
    var failure: String?
    var nextTry = HostTime.distantPast
    var pause = RigSource.shortestPause
  }

  /// The first and the longest pause between attempts to start, in seconds; each failure doubles the pause.
  private static let (shortestPause, longestPause) = (5.0, 300.0)

  init(_ key: Key, as source: String?, for senders: [StreamSender]) {
    (self.key, self.source) = (key, source)
    let audience = Locked(Audience(senders: senders))
    self.audience = audience
    let (hasChannels, areEvents) = (key.kind.hasChannels, key.kind.nature == .events)
    sensor = key.kind.sensor(
      needing: key.need,
      lost: {
        let senders = audience.withLock { audience in
          audience.present.removeAll()
          return audience.senders
        }
        for sender in senders { sender.lose() }
      },
      { arguments, time in
        let senders = audience.withLock { audience in
          // An event has no value that lasts.
          if !areEvents {
            audience.present.store(
              PresentValues.Reading(arguments, at: time), channel: hasChannels ? arguments.first?.text : nil)
          }
          return audience.senders
        }
        for sender in senders { sender.handle(arguments, at: time) }
      })
  }

  /// Returns whether this source continues for a sensor of a configuration that was read later.
  ///
  /// The names of the source are compared, not the ports, since a name stays with its board.
  func serves(_ key: Key, as source: String?) -> Bool {
    self.key.kind == key.kind && self.source == source && self.key.need == key.need
  }

  /// Replaces the senders to which the source passes its readings; new senders also get the present values.
  func serve(_ senders: [StreamSender], now: HostTime) {
    audience.withLock { audience in
      let readings = audience.present.readings
      for sender in senders where !audience.senders.contains(where: { $0 === sender }) {
        sender.inherit(readings, at: now)
      }
      audience.senders = senders
    }
  }

  /// The reason why the last attempt to start the source failed; nil if the source has started, or before the first
  /// attempt.
  var failure: String? { state.withLock { $0.failure } }

  var hasStarted: Bool { state.withLock { $0.hasStarted } }

  /// Starts to read if an attempt is due.
  ///
  /// - Returns: the problem, if it differs from the problem of the last attempt; nil otherwise, and after success.
  func start(_ source: String?, _ run: Run, now: HostTime) -> String? {
    let isDue = state.withLock { !$0.hasStarted && now >= $0.nextTry }
    guard isDue else { return nil }
    do {
      try sensor.start(source, run)
      state.withLock { ($0.hasStarted, $0.failure) = (true, nil) }
      return nil
    } catch {
      let text = (error as? SensorError)?.text { _ in .line(heading: "[\(key.kind.name)]") } ?? "\(error)"
      return state.withLock { state in
        let isNew = state.failure != text
        state.failure = text
        state.nextTry = now.advanced(bySeconds: state.pause)
        state.pause = min(2 * state.pause, Self.longestPause)
        return isNew ? text : nil
      }
    }
  }
}
