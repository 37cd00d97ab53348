import MoCore
import MoRuntime

/// The accelerometer of a phone that sends OSC.
///
/// The source waits until a phone sends. If the phone then stops sending, its last reading is repeated for 1.5 s, until
/// the measured activity is 0. After five seconds without a message, the user is informed.
final class PhoneAccelerometer: EventSource {
  let name: String
  let inbox = PhoneInbox()
  private let deliver: AccelDelivery
  private let tell: @Sendable (AccelEvent) -> Void
  private let notice: @Sendable (String) -> Void
  private let port: @Sendable () -> Int?
  private let isLive: Bool
  private var held = RestRepeater<AccelReading>()
  /// The time at which the user gets a hint that no readings arrive; nil after the first reading, and after the hint.
  private var hintTime: HostTime?

  /// The seconds after the start at which the user gets a hint at the possible cause, if no reading has arrived.
  private static let patience = 20.0

  /// - Parameters:
  ///   - name: the source, as `--accel` names it.
  ///   - start: the time at which waiting begins; nil if a tape stands in for the network, so that no hint is given.
  ///   - port: the port on which the network listens, for messages to the user.
  ///   - tell: receives events of phones that appear and become silent.
  ///   - notice: receives other messages for the user.
  init(
    name: String, start: HostTime?, port: @escaping @Sendable () -> Int?, deliver: @escaping AccelDelivery,
    tell: @escaping @Sendable (AccelEvent) -> Void, notice: @escaping @Sendable (String) -> Void
  ) {
    self.name = name
    self.port = port
    self.deliver = deliver
    self.tell = tell
    self.notice = notice
    isLive = start != nil
    hintTime = start?.advanced(bySeconds: PhoneAccelerometer.patience)
  }

  var descriptor: Int32? { inbox.signal.descriptor }
  let keepsDescriptor = true

  var nextTime: HostTime? {
    let telling = isLive ? inbox.nextTime : nil
    return [inbox.waitingTime, held.nextTime, telling, hintTime].compactMap { $0 }.min()
  }

  func service(until now: HostTime) {
    inbox.signal.lower()
    for news in inbox.news(until: now) { pass(news) }
    while let reading = inbox.next() {
      hintTime = nil
      held.note(reading)
      deliver(reading)
    }
    while let reading = held.next(until: now) { deliver(reading) }
    if let hintTime, hintTime <= now {
      self.hintTime = nil
      if let port = port() { notice(PhoneText.hint(port: port, counts: inbox.counts)) }
    }
  }

  private func pass(_ news: PhoneSelector.News) {
    switch news {
    case .using(let phone): tell(.using(name: "a \(phone.kind) with \(phone)"))
    case .back(let phone): tell(.using(name: "the \(phone.kind) with \(phone) again"))
    case .silent(let phone): tell(.lost(name: "\(phone)", reason: PhoneText.silence(phone)))
    case .others(let phones): notice(PhoneText.others(phones))
    }
  }
}
