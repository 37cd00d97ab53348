import MoCore
import MoOSC

/// Listens to the first phone that speaks, and to another once that is silent; knows of the rest.
///
/// A phone is an app at an address: so a stray message of another layout changes nothing.
struct PhoneSelector: Sendable {
  /// What the user is told.
  enum News: Equatable, Sendable {
    /// This phone is read from now on.
    case using(PhoneName)
    /// These are sending too and are not read.
    case others([PhoneName])
    /// The phone that is read has sent nothing for a while.
    case silent(PhoneName)
    /// It sends again.
    case back(PhoneName)
  }

  /// What came of the messages so far.
  struct Counts: Equatable, Sendable {
    var readings = 0
    /// Of one of the apps, but with values that cannot be a reading.
    var unusable = 0
    /// Of phones that are not read.
    var others = 0
    /// Of no app that is known here.
    var foreign = 0
  }

  private(set) var counts = Counts()
  private(set) var phone: PhoneName?
  private var decoder = PhoneDecoder(layout: .momu)
  /// The last phone that told its system, as ZIG SIM does in front of its readings.
  private var introduced: (name: PhoneName, system: String)?
  private var lastHeard = HostTime.distantPast
  private var isSilent = false
  private var others: Set<PhoneName> = []
  private var unnamed: [PhoneName] = []
  private var namingTime: HostTime?
  private var news: [News] = []

  /// Silence after which another phone may take over.
  static let takeOverTime = 2.0
  /// Silence after which the user is told.
  static let silentTime = 5.0
  /// Others that come within this time are told in one line.
  static let gatheringTime = 1.0
  /// How many others are remembered, so that a flood of invented ones takes no memory.
  private static let mostOthers = 16

  /// When `advance(to:)` next has something to tell; nil where nothing is pending.
  var nextTime: HostTime? {
    let silence = phone == nil || isSilent ? nil : lastHeard.advanced(bySeconds: PhoneSelector.silentTime)
    return [silence, namingTime].compactMap { $0 }.min()
  }

  /// Takes a message.
  ///
  /// - Parameters:
  ///   - host: where it came from, without the port.
  ///   - now: when it arrived.
  /// - Returns: the reading in g, where it completes one.
  mutating func take(_ message: OSCMessage, from host: String, at now: HostTime) -> SIMD3<Float>? {
    guard let heard = PhoneMessage(message) else {
      counts.foreign += 1
      return nil
    }
    let name = PhoneName(layout: heard.layout, host: host, device: heard.device)
    guard name == phone || choose(name, heard.content, at: now) else { return nil }
    switch decoder.take(heard.content, at: now) {
    case .unusable:
      counts.unusable += 1
      return nil
    case .partial:
      return nil
    case .reading(let reading):
      counts.readings += 1
      hear(at: now)
      return reading
    }
  }

  /// Lets time pass: what it brings is told.
  mutating func advance(to now: HostTime) {
    if let namingTime, namingTime <= now {
      if !unnamed.isEmpty { news.append(.others(unnamed)) }
      unnamed = []
      self.namingTime = nil
    }
    if let phone, !isSilent, now.seconds(since: lastHeard) >= PhoneSelector.silentTime {
      isSilent = true
      news.append(.silent(phone))
    }
  }

  /// Whether there is something to tell now.
  var hasNews: Bool { !news.isEmpty }

  /// What there is to tell, once.
  mutating func takeNews() -> [News] {
    defer { news = [] }
    return news
  }

  /// Whether this phone, which is not the one that is read, is read from now on.
  private mutating func choose(_ name: PhoneName, _ content: PhoneMessage.Content, at now: HostTime) -> Bool {
    // Only who measures something is a player: what else an app sends, or garbage, chooses nobody.
    switch content {
    case .unusable:
      counts.unusable += 1
      return false
    case .system(let system):
      introduced = (name, system)
      return false
    case .vector, .axis: break
    }
    guard phone == nil || now.seconds(since: lastHeard) >= PhoneSelector.takeOverTime else {
      counts.others += 1
      if others.count < PhoneSelector.mostOthers, others.insert(name).inserted {
        unnamed.append(name)
        if namingTime == nil { namingTime = now.advanced(bySeconds: PhoneSelector.gatheringTime) }
      }
      return false
    }
    phone = name
    decoder = PhoneDecoder(layout: name.layout, system: introduced?.name == name ? introduced?.system : nil)
    lastHeard = now
    isSilent = false
    others.remove(name)
    unnamed.removeAll { $0 == name }
    news.append(.using(name))
    return true
  }

  private mutating func hear(at now: HostTime) {
    lastHeard = max(lastHeard, now)
    guard isSilent, let phone else { return }
    isSilent = false
    news.append(.back(phone))
  }
}
