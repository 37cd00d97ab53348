import MoCore
import MoOSC

/// The choice of the phone that is read: the first phone that sends.
///
/// If this phone becomes silent, the next phone that sends is read instead.
///
/// An app and an address together identify a phone, so a stray message of another app changes nothing. Other phones are
/// remembered, so that each is reported only once.
package struct PhoneSelector: Sendable {
  /// A report about the phones, for the user.
  package enum Report: Equatable, Sendable {
    /// This phone is read from now on.
    case using(PhoneName)
    /// These phones also send, but are not read.
    case others([PhoneName])
    /// The phone that is read has sent nothing for five seconds.
    case silent(PhoneName)
    /// The phone that is read sends again, after a report that it was silent.
    case back(PhoneName)
  }

  /// The numbers of messages so far, by their result.
  package struct Counts: Equatable, Sendable {
    package var readings = 0
    /// The number of messages of a known app whose values cannot be a reading.
    package var unusable = 0
    /// The number of messages of phones that are not read.
    package var others = 0
    /// The number of messages that come from no known app.
    package var foreign = 0

    package init(readings: Int = 0, unusable: Int = 0, others: Int = 0, foreign: Int = 0) {
      (self.readings, self.unusable, self.others, self.foreign) = (readings, unusable, others, foreign)
    }
  }

  package private(set) var counts = Counts()
  package private(set) var phone: PhoneName?
  private var decoder = PhoneDecoder(layout: .momu)
  /// The last phone that reported its system, as ZIG SIM does before its readings.
  private var introduced: (name: PhoneName, system: String)?
  private var lastHeard = HostTime.distantPast
  private var isSilent = false
  private var others: Set<PhoneName> = []
  private var unnamed: [PhoneName] = []
  private var namingTime: HostTime?
  private var reports: [Report] = []

  package init() {}

  /// The time without a reading, in seconds, after which another phone may replace the phone that is read.
  static let takeOverTime = 2.0
  /// The time without a reading, in seconds, after which the user is informed that the phone is silent.
  static let silentTime = 5.0
  /// The time, in seconds, for which reports of further phones are collected, so that one line names all of them.
  static let gatheringTime = 1.0
  /// The largest number of other phones that are remembered, so that forged senders cannot fill the memory.
  private static let mostOthers = 16

  /// The time at which `advance(to:)` next has a report; nil if nothing is pending.
  package var nextTime: HostTime? {
    let silence = phone == nil || isSilent ? nil : lastHeard.advanced(bySeconds: PhoneSelector.silentTime)
    return [silence, namingTime].compactMap { $0 }.min()
  }

  /// Handles a message.
  ///
  /// - Parameters:
  ///   - host: the address of the sender, without the port.
  ///   - now: the time at which the message was delivered.
  /// - Returns: the reading in g, if the message completes one.
  package mutating func decode(_ message: OSCMessage, from host: String, at now: HostTime) -> SIMD3<Float>? {
    guard let decoded = PhoneMessage(message) else {
      counts.foreign += 1
      return nil
    }
    let name = PhoneName(layout: decoded.layout, host: host, device: decoded.device)
    guard name == phone || choose(name, decoded.content, at: now) else { return nil }
    switch decoder.decode(decoded.content, at: now) {
    case .unusable:
      counts.unusable += 1
      return nil
    case .partial:
      return nil
    case .reading(let reading):
      counts.readings += 1
      restartTimeout(at: now)
      return reading
    }
  }

  /// Advances the time, and adds the reports that become due.
  package mutating func advance(to now: HostTime) {
    if let namingTime, namingTime <= now {
      if !unnamed.isEmpty { reports.append(.others(unnamed)) }
      unnamed = []
      self.namingTime = nil
    }
    if let phone, !isSilent, now.seconds(since: lastHeard) >= PhoneSelector.silentTime {
      isSilent = true
      reports.append(.silent(phone))
    }
  }

  /// Whether reports are pending.
  var hasReports: Bool { !reports.isEmpty }

  /// Returns the pending reports and clears them.
  package mutating func popReports() -> [Report] {
    defer { reports = [] }
    return reports
  }

  /// Decides whether a phone that sent a measurement is read: yes, if no phone is read, or if the phone that is read
  /// has become silent.
  ///
  /// - Returns: whether the phone is read from now on.
  private mutating func choose(_ name: PhoneName, _ content: PhoneMessage.Content, at now: HostTime) -> Bool {
    // Only a measurement makes a sender a player; other messages of an app, or garbage, do not.
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
    reports.append(.using(name))
    return true
  }

  private mutating func restartTimeout(at now: HostTime) {
    lastHeard = max(lastHeard, now)
    guard isSilent, let phone else { return }
    isSilent = false
    reports.append(.back(phone))
  }
}

/// A phone and the app that it runs.
package struct PhoneName: Hashable, Sendable, CustomStringConvertible {
  let layout: PhoneLayout
  /// The sender's address, without the port: some apps use a new port for each message.
  let host: String
  /// The name that the app gives to the phone; empty if the app sends no name.
  let device: String

  package init(layout: PhoneLayout, host: String, device: String) {
    (self.layout, self.host, self.device) = (layout, host, device)
  }

  /// The kind of device in texts for the user: `phone`, or `rig` for a sender of MoMu's own messages.
  var kind: String { layout == .momu ? "rig" : "phone" }

  package var description: String { "\(layout.title) at \(host)" }
}
