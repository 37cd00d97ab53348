import MoCore
import MoRuntime

/// The accelerometer of a phone that sends OSC.
///
/// It waits until one does; while it is silent what it said last is repeated until all movement has died away,
/// and after five seconds the user is told.
final class PhoneAccelerometer: EventSource {
  let name: String
  let inbox = PhoneInbox()
  private let deliver: AccelDelivery
  private let tell: @Sendable (AccelEvent) -> Void
  private let notice: @Sendable (String) -> Void
  private let port: @Sendable () -> Int?
  private let isLive: Bool
  private var held = RestRepeater<AccelReading>()
  /// When to say that nothing has come; nil once something has, or it was said.
  private var hintTime: HostTime?

  /// How long to wait for a phone before saying what may be wrong, in seconds.
  private static let patience = 20.0

  /// - Parameters:
  ///   - name: as `--accel` names it.
  ///   - start: when waiting begins; nil where a tape plays, which is never late.
  ///   - port: what the network listens on, for messages to the user.
  ///   - tell: told of phones that come and fall silent.
  ///   - notice: told what else the user may want to know.
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
