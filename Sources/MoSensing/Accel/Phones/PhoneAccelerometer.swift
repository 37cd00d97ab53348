import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// The accelerometer of a phone that sends OSC.
///
/// The source waits until a phone sends. If the phone then stops sending, its last reading is repeated for 1.5 s, until
/// the measured activity is 0. After five seconds without a message, the user is informed.
final class PhoneAccelerometer: EventSource {
  let name: String
  let inbox = PhoneInbox()
  private let deliver: AccelDelivery
  private let notify: @Sendable (AccelEvent) -> Void
  private let notice: @Sendable (String) -> Void
  private let chosen: @Sendable (String) -> Void
  private let port: @Sendable () -> Int?
  private let isLive: Bool
  private var held = RestRepeater<AccelReading>()
  /// The time at which the user gets a hint that no readings arrive; nil after the first reading, and after the hint.
  private var hintTime: HostTime?

  /// The seconds after the start at which the user gets a hint at the possible cause, if no reading has arrived.
  private static let noticeDelay = 20.0

  /// - Parameters:
  ///   - name: the source, as `--accel` names it.
  ///   - start: the time at which waiting begins; nil if a tape stands in for the network, so that no hint is given.
  ///   - port: the port on which the network listens, for messages to the user.
  ///   - chosen: receives the host of each phone that is read from then on.
  ///   - notify: receives events of phones that appear and become silent.
  ///   - notice: receives other messages for the user.
  init(
    name: String, start: HostTime?, port: @escaping @Sendable () -> Int?, deliver: @escaping AccelDelivery,
    chosen: @escaping @Sendable (String) -> Void = { _ in },
    notify: @escaping @Sendable (AccelEvent) -> Void, notice: @escaping @Sendable (String) -> Void
  ) {
    self.name = name
    self.port = port
    self.deliver = deliver
    self.chosen = chosen
    self.notify = notify
    self.notice = notice
    isLive = start != nil
    hintTime = start?.advanced(bySeconds: PhoneAccelerometer.noticeDelay)
  }

  var descriptor: Int32? { inbox.signal.descriptor }
  let keepsDescriptor = true
  /// An offline run ends after the repeated readings, which follow the messages of a tape.
  let isFinite = true

  var nextTime: HostTime? {
    let telling = isLive ? inbox.nextTime : nil
    return [inbox.waitingTime, held.nextTime, telling, hintTime].compactMap { $0 }.min()
  }

  func service(until now: HostTime) {
    inbox.signal.lower()
    for report in inbox.reports(until: now) { pass(report) }
    while let reading = inbox.next() {
      hintTime = nil
      held.hold(reading)
      deliver(reading)
    }
    while let reading = held.next(until: now) { deliver(reading) }
    if let hintTime, hintTime <= now {
      self.hintTime = nil
      if let port = port() { notice(PhoneText.hint(port: port, counts: inbox.counts)) }
    }
  }

  private func pass(_ report: PhoneSelector.Report) {
    switch report {
    case .using(let phone):
      chosen(phone.host)
      notify(.using(name: "a \(phone.kind) with \(phone)"))
    case .back(let phone): notify(.using(name: "the \(phone.kind) with \(phone) again"))
    case .silent(let phone): notify(.lost(name: "\(phone)", reason: PhoneText.silence(phone)))
    case .others(let phones): notice(PhoneText.others(phones))
    }
  }
}

extension PhoneAccelerometer {
  // Offline, a tape may play in place of the network or not: the phone source reports that itself.
  static let row = SensorRow<AccelReading>(
    "net", forms: ["net"], worksOffline: true,
    devices: {
      [
        NamedDevice(
          name: "net", about: "a phone with TouchOSC, ZIG SIM or Sensors2OSC; net:PORT for another port",
          isReal: false)
      ]
    },
    open: source)

  private static func source(
    _ detail: String?, _ opening: SensorOpenContext<AccelReading>
  ) throws -> OpenSource? {
    let port = try SensorPort.read(detail, opening)
    let isTape = try SensorPort.isTape(opening)
    let run = opening.run
    let phone = PhoneAccelerometer(
      name: port.map { "net:\($0)" } ?? "net", start: isTape ? nil : run.clock.now, port: { MoNet.port },
      deliver: opening.deliver, chosen: { host in run.phone.withLock { $0 = host } }, notify: opening.notify,
      notice: { run.notice($0) })
    let phones = try PhoneListening(to: phone.inbox, port: port, opening) { run.notice($0) }
    return OpenSource(
      phone,
      close: {
        phones.end()
        run.phone.withLock { $0 = nil }
      })
  }
}

/// The messages of phones, on their way from the network's thread to the thread `mo-input`, which reads the sensors.
///
/// - Thread: `add` on the network's thread, all other members on `mo-input`.
final class PhoneInbox: @unchecked Sendable {
  // Unchecked: `lock` guards everything that changes, and under it one thread at a time pushes.
  private let lock = MoMutex()
  private var choice = PhoneSelector()
  private var firstWaiting: HostTime?
  private let readings = MoQueue<AccelReading>(capacity: 1024)
  /// The event that wakes the thread `mo-input`: raised when readings or reports are waiting.
  let signal = WakeEvent()

  /// The largest delay from a message's time tag to its arrival, in seconds.
  ///
  /// If the delay is larger, the phone's clock is probably slow, so the time of arrival is used instead of the time
  /// tag.
  private static let mostLateness = 0.25

  /// Handles a message.
  ///
  /// - Parameters:
  ///   - host: the address of the sender, without the port.
  ///   - time: the message's time tag, or its arrival if it has no time tag.
  ///   - arrival: the time at which the message arrived.
  func add(_ message: OSCMessage, from host: String, time: HostTime, arrival: HostTime) {
    let hasNewReports = lock.withLock { () -> Bool in
      // The network delivers a message at its time tag: a sender whose clock is ahead has not been silent until then.
      if let vector = choice.decode(message, from: host, at: max(arrival, time)) {
        let stamp = arrival.seconds(since: time) <= PhoneInbox.mostLateness ? time : arrival
        readings.push(AccelReading(time: stamp, x: vector.x, y: vector.y, z: vector.z))
        firstWaiting = firstWaiting ?? stamp
        return true
      }
      return choice.hasReports
    }
    if hasNewReports { signal.raise() }
  }

  /// Returns the reports that are due by `now`; call it before the calls of `next()`.
  func reports(until now: HostTime) -> [PhoneSelector.Report] {
    lock.withLock {
      firstWaiting = nil
      choice.advance(to: now)
      return choice.popReports()
    }
  }

  /// The time of the first reading that waits; nil if none waits.
  var waitingTime: HostTime? { lock.withLock { firstWaiting } }

  /// Pops the next reading.
  func next() -> AccelReading? { readings.pop() }

  /// The next time at which `reports` returns a report even if no message arrives; nil if there is no such time.
  var nextTime: HostTime? { lock.withLock { choice.nextTime } }

  /// The counts of the messages so far, one count for each result of a message.
  var counts: PhoneSelector.Counts { lock.withLock { choice.counts } }
}
