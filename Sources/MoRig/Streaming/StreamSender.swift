import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import Synchronization

/// The sender of a sensor's readings: it applies the sensor's rules, and sends delayed values when they are due.
///
/// - Thread: `mo-input`, which reads the sensors, or offline the renderer's thread; any thread may read `counts`.
package final class StreamSender: EventTimer, @unchecked Sendable {
  // Unchecked: the input loop calls one function at a time; the values that other threads read are atomic.
  package let name: String
  package let slack: Int64
  private let stream: RigStream
  private let targets: [RigTarget]
  private let midi: [RigMIDITarget]
  private let log: @Sendable (MoLog.Level, String) -> Void
  private var lines: [Line] = []
  /// The index in `lines` of the channel that had the latest reading; the next channel of a board is usually the next
  /// in `lines`.
  private var latest = 0
  private var channels: ChannelWatch
  private let readings = Atomic<Int>(0)
  private let messages = Atomic<Int>(0)
  private let lastHeard = Atomic<Int64>(.min)
  /// Whether a simulated source stands in for a board; its single channel then counts as the channel that the
  /// configuration names.
  private let isSimulated: Bool
  private let hasBegun = Atomic<Bool>(false)
  /// The readings from before this sender began, which are sent at `inheritedAt`.
  private let inherited = Locked<[PresentValues.Reading]>([])
  /// The time at which the inherited readings are due, in nanoseconds; `Int64.max` if there are none.
  private let inheritedAt = Atomic<Int64>(.max)

  /// One channel of a sensor, with rules of its own, since channels are different quantities.
  private struct Line {
    let channel: String?
    /// The rules that decide which values are sent, and when; nil to send all immediately.
    var rules: StreamRules?
    var template: OSCMessageTemplate
    /// The number of the channel's readings.
    var count = 0
    /// The number of the sensor's readings at the channel's first reading.
    let begun: Int

    init(_ channel: String?, of stream: RigStream, begun: Int) {
      (self.channel, self.begun) = (channel, begun)
      rules = stream.ruleSettings.isEmpty ? nil : StreamRules(stream.ruleSettings)
      template = OSCMessageTemplate(stream.address, isStamped: stream.isStamped)
    }
  }

  /// The number of readings of other channels after which a channel with a single reading counts as noise.
  private static let mostOtherReadings = 100
  /// Whether noise can change the names of channels, as on a serial line.
  private let isNoisy: Bool
  /// The largest number of channels that are stored: noise on a serial line can look like any number of channel names.
  private static let mostLines = 256

  /// - Parameter log: called with a warning if the channel that the configuration names does not arrive.
  package init(
    _ stream: RigStream, to targets: [RigTarget], midi: [RigMIDITarget] = [],
    log: @escaping @Sendable (MoLog.Level, String) -> Void = { MoLog.log($0, $1) }
  ) {
    name = "rig:\(stream.title)"
    slack = StreamRules(stream.ruleSettings).slack
    self.stream = stream
    (self.targets, self.midi) = (targets, midi)
    self.log = log
    channels = ChannelWatch(stream)
    isNoisy = stream.kind.hasChannels && stream.source?.hasPrefix("serial:") == true
    isSimulated = stream.kind.hasChannels && stream.source?.hasPrefix("sim:") == true
  }

  /// The number of readings, the number of messages, and the time of the last reading; the time is nil before the first
  /// reading.
  package var counts: (readings: Int, messages: Int, lastHeard: HostTime?) {
    let last = lastHeard.load(ordering: .relaxed)
    return (
      readings.load(ordering: .relaxed), messages.load(ordering: .relaxed),
      last == .min ? nil : HostTime(nanoseconds: last)
    )
  }

  /// Handles the values of a reading.
  package func handle(_ arguments: [OSCArgument], at time: HostTime) {
    handle(arguments, at: time, inherited: nil)
  }

  /// Makes the sender send earlier readings, except for the channels from which it has received a newer reading.
  ///
  /// - Thread: any; the event loop sends the readings, so the sender must be added to it (`mayBegin`).
  package func inherit(_ readings: [PresentValues.Reading], at now: HostTime) {
    guard !readings.isEmpty else { return }
    inherited.withLock { $0 = readings }
    inheritedAt.store(now.nanoseconds, ordering: .releasing)
  }

  private func sendInherited(at now: HostTime) {
    inheritedAt.store(.max, ordering: .relaxed)
    let readings = inherited.withLock { readings in
      defer { readings = [] }
      return readings
    }
    for reading in readings { handle(reading.arguments, at: now, inherited: reading) }
  }

  /// - Parameter inherited: the inherited reading; nil for a reading that has just arrived.
  private func handle(_ arguments: [OSCArgument], at time: HostTime, inherited: PresentValues.Reading?) {
    var arguments = arguments
    if isSimulated, let wanted = stream.channel { arguments[0] = .string(wanted) }
    if stream.conversion.isNeeded { convert(&arguments) }
    let channel = stream.kind.hasChannels ? arguments.first?.text : nil
    if inherited != nil, lines.contains(where: { $0.channel == channel }) { return }
    if let wanted = stream.channel {
      guard wanted == channel else {
        if let warning = channels.add(channel ?? "", at: time) { log(.warning, warning) }
        return
      }
      channels.found()
    }
    readings.wrappingAdd(1, ordering: .relaxed)
    lastHeard.store((inherited?.time ?? time).nanoseconds, ordering: .relaxed)
    // Without rules, noise on a line is sent, too; the number of stored lines is limited.
    guard let index = line(channel) else {
      var line = Line(channel, of: stream, begun: 0)
      if line.rules == nil { send(arguments, of: &line, at: time) }
      return
    }
    lines[index].count += inherited?.hasPredecessor == true ? 2 : 1
    guard lines[index].rules != nil else { return send(arguments, of: &lines[index], at: time) }
    var values: [Float] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { if let number = argument.number { values.append(Float(number)) } }
    if let due = lines[index].rules?.filter(values, at: time) { send(due, of: &lines[index], at: time) }
  }

  /// Handles the loss of the source: its last values are not repeated, since they are not present values any more.
  package func lose() {
    inherited.withLock { $0 = [] }
    for index in lines.indices { lines[index].rules?.lose() }
    releaseKeys()
  }

  /// Releases the MIDI keys that the sensor holds down, since it was unplugged or removed.
  ///
  /// - Thread: any.
  func releaseKeys() { for port in midi { port.release(of: ObjectIdentifier(self)) } }

  private func convert(_ values: inout [OSCArgument]) {
    for index in values.indices {
      if case .float(let value) = values[index] { values[index] = .float(stream.conversion(value)) }
    }
  }

  private func line(_ channel: String?) -> Int? {
    // A board usually sends its channels in the same order.
    let next = latest + 1 < lines.count ? latest + 1 : 0
    if next < lines.count, lines[next].channel == channel {
      latest = next
      return next
    }
    if let known = lines.firstIndex(where: { $0.channel == channel }) {
      latest = known
      return known
    }
    if lines.count >= StreamSender.mostLines {
      guard let single = lines.firstIndex(where: { $0.count == 1 }) else { return nil }
      lines.remove(at: single)
    }
    lines.append(Line(channel, of: stream, begun: readings.load(ordering: .relaxed)))
    latest = lines.count - 1
    return latest
  }

  /// Returns true at the first call if the sensor has rules or inherited readings: the caller then adds the sender to
  /// the event loop, for values that are due between readings.
  func mayBegin() -> Bool {
    let isDue = inheritedAt.load(ordering: .relaxed) != .max
    return (!stream.ruleSettings.isEmpty || isDue) && !hasBegun.exchange(true, ordering: .relaxed)
  }

  package var nextTime: HostTime? {
    // The loop allocates no array, since this is called at every reading of every sensor.
    let inheritance = inheritedAt.load(ordering: .relaxed)
    var first = inheritance == .max ? nil : HostTime(nanoseconds: inheritance)
    for index in lines.indices {
      guard let next = lines[index].rules?.nextTime else { continue }
      first = min(first ?? next, next)
    }
    return first
  }

  package func service(until now: HostTime) {
    if inheritedAt.load(ordering: .acquiring) <= now.nanoseconds { sendInherited(at: now) }
    for index in lines.indices {
      guard let next = lines[index].rules?.nextTime, next <= now else { continue }
      let others = readings.load(ordering: .relaxed) - lines[index].begun
      if isNoisy, lines[index].count == 1, others >= Self.mostOtherReadings { lines[index].rules?.lose() }
      if let due = lines[index].rules?.due(at: now) { send(due, of: &lines[index], at: now) }
    }
  }

  private func send(_ values: [Float], of line: inout Line, at time: HostTime) {
    var arguments: [OSCArgument] = []
    arguments.reserveCapacity(1 + values.count)
    if let channel = line.channel { arguments.append(.string(channel)) }
    for value in values { arguments.append(.float(value)) }
    send(arguments, of: &line, at: time)
  }

  /// Sends a message to all targets and MIDI ports.
  ///
  /// A target must not call this sender before `send` returns, since `line` is accessed exclusively.
  private func send(_ arguments: [OSCArgument], of line: inout Line, at time: HostTime) {
    messages.wrappingAdd(1, ordering: .relaxed)
    if !midi.isEmpty {
      let values = arguments.compactMap { $0.number.map { Float($0) } }
      let range = stream.conversion.range ?? 0...1
      for port in midi {
        port.send(values, stream.midi, from: ObjectIdentifier(self), range: range, at: time)
      }
    }
    guard !targets.isEmpty else { return }
    // If a single channel has its own address, the message needs no name.
    let isNamedByAddress = stream.channel != nil && stream.address != stream.kind.address
    do throws(OSCError) {
      try line.template.withEncoded(
        isNamedByAddress ? Array(arguments.dropFirst()) : arguments, at: MoNet.timeTag(of: time)
      ) { packet in
        for target in targets { target.send(packet, now: time) }
      }
    } catch {
      for target in targets { target.refuse(error, now: time) }
    }
  }
}

/// A detector of a wrong channel name in a configuration: the wanted channel never arrives, but other channels of the
/// sensor do.
///
/// A board's channels are known only from the messages that it sends.
struct ChannelWatch: Sendable {
  private let stream: RigStream
  /// The names of the other channels that arrived, for the warning: the first 8 of them.
  private var others: [String] = []
  /// The time at which the first other channel arrived; nil if none has arrived.
  private var since: HostTime?
  private var isOver: Bool

  /// The seconds from the first other channel to the warning; a shorter time would warn of channels that a board sends
  /// rarely.
  private static let noticeDelay = 10.0
  private static let mostNamed = 8

  init(_ stream: RigStream) { (self.stream, isOver) = (stream, stream.channel == nil) }

  /// Ends the detection, since the wanted channel has arrived.
  mutating func found() {
    if !isOver { (isOver, others) = (true, []) }
  }

  /// Handles a reading of a channel that is not the wanted channel.
  ///
  /// - Returns: the text of the warning, at the first call that is at least ten seconds after the first other channel;
  ///   nil at all other calls.
  mutating func add(_ other: String, at time: HostTime) -> String? {
    guard !isOver else { return nil }
    if others.count < ChannelWatch.mostNamed, !others.contains(other) { others.append(other) }
    let begun = since ?? time
    since = begun
    guard time.seconds(since: begun) >= ChannelWatch.noticeDelay else { return nil }
    defer { found() }
    return stream.wrongChannel(others.sorted()).map { "[\(stream.title)] sends nothing: \($0)" }
  }
}
