import Glibc
import MoCore
import MoRuntime

/// The period in which a sensor is read, from a start to the next stop.
///
/// The session opens the named source, or the best source. It opens another source when devices appear or disappear.
///
/// - Thread: any; changes happen on the `mo-input` thread.
final class SensorSession<Reading: SensorReading>: @unchecked Sendable {
  // Unchecked: `lock` guards everything that changes.
  private let kind: SensorKind<Reading>
  private let choice: Choice
  private let opening: SensorOpenContext<Reading>
  private let lock = MoMutex()
  private var current: Current?
  /// The time since which the session waits for a missing device; `awaited.since` is nil while a device is read, and
  /// while a stand-in plays that replaced no lost device.
  private let awaited = AwaitedDevice()
  private var watches: [DeviceWatch] = []
  private var hasEnded = false
  /// The named source, or the sensor in words: the text after `Waiting for` in the log.
  private let wanted: String
  private let log: SensorLog
  private var problem: Problem?

  /// The choice of the source.
  private enum Choice {
    /// The best device, or a stand-in if there is no device; used if the program names no source.
    case automatic
    case named(SensorRow<Reading>, detail: String?)
  }

  /// The reason why no device can be read.
  private struct Problem {
    let text: String
    /// The time since which this is the reason.
    let since: HostTime
    /// Whether the log has a line about the reason.
    var isLogged: Bool
  }

  /// The seconds for which a new reason must last before it is logged.
  ///
  /// A device that was just plugged in cannot be opened until udev has set its access rights.
  private static var logDelay: Double { 1 }

  private struct Current {
    let source: OpenSource
    let isDevice: Bool
    let since: HostTime
  }

  /// - Parameter notify: called when a source is lost or found.
  /// - Throws: `SensorError.unknownSource` for a name whose scheme, such as `evdev`, is not in the sensor's table of
  ///   sources.
  init(
    _ kind: SensorKind<Reading>, name: String?, run: Run, log: SensorLog,
    deliver: @escaping @Sendable (Reading) -> Void, notify: @escaping @Sendable (SensorEvent) -> Void
  ) throws(SensorError) {
    self.kind = kind
    self.log = log
    opening = SensorOpenContext(
      option: kind.option, noun: kind.noun, forms: kind.forms,
      offlineForms: kind.rows.first { $0.scheme == "sim" }?.forms ?? [],
      advice: { run.waitsForDevices ? SensorError.toolListing : kind.advice }, run: run,
      deliver: deliver, notify: notify, need: kind.need)
    let source = name ?? (run.waitsForDevices ? kind.usual : nil)
    wanted = source ?? kind.noun
    guard let name = source else {
      choice = .automatic
      return
    }
    let (row, detail) = try kind.row(of: name)
    choice = .named(row, detail: detail)
    awaited.since = run.clock.now
  }

  /// The source that is read now.
  var sourceName: String? { lock.withLock { current?.source.input.name } }

  /// Whether a source is read that has the device from which its readings come.
  var hasDevice: Bool { lock.withLock { current?.source.hasDevice }?() ?? false }

  /// The reason why a device cannot be read; nil if all devices are read, or if no reason is known.
  var waitReason: String? {
    // Outside the lock: a combined source asks the sessions of its parts.
    let (ofSource, ofWaiting) = lock.withLock { (current?.source.problem, problem?.text) }
    return ofSource.map { $0() } ?? ofWaiting
  }

  /// Opens the first source.
  ///
  /// - Throws: `SensorError`.
  func begin() throws {
    try log.begin(in: opening.run)
    switch choice {
    case .named(let row, let detail):
      let name = detail.map { "\(row.scheme):\($0)" } ?? row.scheme
      if opening.run.isOffline, !row.worksOffline {
        throw SensorError.notOffline(name: name, option: kind.option, known: opening.offlineForms)
      }
      if let source = try open(row, detail, as: name) { try use(source, isDevice: row.folder != nil) }
      if let folder = row.folder { try watchDevices(in: [folder]) }
    case .automatic:
      if opening.run.isOffline, !opening.run.waitsForDevices {
        return try use(kind.standIn(opening, nil), isDevice: false)
      }
      let (device, reason) = anyDevice()
      if let device {
        try use(device, isDevice: true)
      } else if opening.run.waitsForDevices {
        opening.run.notice("Waiting for \(wanted)\(reason.map { ": \($0)" } ?? ".")")
        store(reason, isLogged: true)
        awaited.since = opening.run.clock.now
      } else {
        try useStandIn()
      }
      try watchDevices(in: kind.rows.compactMap(\.folder))
    }
  }

  /// Closes the source, and ends the watch for devices.
  func end() {
    let (current, watches) = lock.withLock { () -> (Current?, [DeviceWatch]) in
      hasEnded = true
      awaited.since = nil
      defer { (self.current, self.watches) = (nil, []) }
      return (self.current, self.watches)
    }
    for watch in watches { opening.run.input.remove(watch) }
    if let current { close(current.source) }
    log.end(in: opening.run)
  }

  /// Opens the named source; returns nil if the source is a missing device for which the run waits.
  private func open(_ row: SensorRow<Reading>, _ detail: String?, as name: String) throws -> OpenSource? {
    do {
      if let source = try row.open(detail, opening) { return source }
    } catch let error as SensorError where opening.run.waitsForDevices && row.folder != nil {
      opening.run.notice("Waiting for \(name): \(error)")
      store("\(error)", isLogged: true)
      return nil
    }
    throw SensorError.unknownSource(name, option: kind.option, known: kind.forms)
  }

  private func useStandIn() throws {
    let forbidden = kind.rows.lazy.flatMap { $0.folder == nil ? [] : $0.devices() }.first { !$0.isOpen }
    try use(kind.standIn(opening, forbidden), isDevice: false)
  }

  /// Opens the best device that can be opened; if there is none, returns why the first device cannot be opened.
  ///
  /// Both results are nil if no device is there.
  private func anyDevice() -> (source: OpenSource?, reason: String?) {
    var reason: String?
    for row in kind.rows where row.folder != nil {
      for device in row.devices() {
        guard device.isOpen else {
          reason = reason ?? "\(device.name) \(device.about)"
          continue
        }
        do {
          let detail = try kind.row(of: device.name).detail
          if let source = try row.open(detail, opening) { return (source, nil) }
        } catch {
          reason = reason ?? "\(error)"
        }
      }
    }
    return (nil, reason)
  }

  /// Stores why no device can be read, and logs a new reason after it has lasted for a second.
  ///
  /// - Parameters:
  ///   - reason: the reason; nil if none is known.
  ///   - isLogged: whether the log has a line about the reason already.
  private func store(_ reason: String?, isLogged: Bool) {
    guard opening.run.waitsForDevices else { return }
    let now = opening.run.clock.now
    let line = lock.withLock { () -> String? in
      guard let reason, problem?.text == reason else {
        problem = reason.map { Problem(text: $0, since: now, isLogged: isLogged) }
        return nil
      }
      guard let known = problem, !known.isLogged, now.seconds(since: known.since) >= Self.logDelay else {
        return nil
      }
      problem?.isLogged = true
      return "Waiting for \(wanted): \(reason)"
    }
    if let line { log.notice(line, about: wanted) }
  }

  private func close(_ source: OpenSource) {
    opening.run.input.remove(source.input)
    source.close()
  }

  /// Starts to read `source`, and closes the earlier source.
  private func use(_ source: OpenSource, isDevice: Bool) throws {
    let (previous, isOver) = lock.withLock { () -> (Current?, Bool) in
      defer {
        if !hasEnded {
          current = Current(source: source, isDevice: isDevice, since: opening.run.clock.now)
          // No event reports that a chip on a bus answers again, so the session polls for it beside a stand-in.
          if isDevice { awaited.since = nil }
          problem = nil
        }
      }
      return (current, hasEnded)
    }
    if isOver { return source.close() }
    if let previous { close(previous.source) }
    // The session keeps only the name; the loop services the source, one thread at a time.
    nonisolated(unsafe) let handed = source.input
    let name = source.input.name
    do {
      try opening.run.input.add(handed) { [weak self] error in self?.lost(name, error) }
    } catch {
      lock.withLock { miss() }
      source.close()
      throw SensorError.noThread(reason: "\(error)")
    }
    // If the session ended while the source was being added, `end` may not have found it yet.
    nonisolated(unsafe) let added = source.input
    if lock.withLock({ hasEnded }) { opening.run.input.remove(added) }
  }

  /// Clears the current source, and begins to wait for a device; the caller holds `lock`.
  private func miss() {
    if !hasEnded { awaited.begin(at: opening.run.clock.now, opened: current?.since) }
    current = nil
  }

  private func watchDevices(in folders: [String]) throws {
    for folder in folders {
      // A single watch polls for the awaited device, since each poll tries the devices of all folders.
      let watch = DeviceWatch(
        folder: folder, awaited: folder == folders.first ? awaited : nil,
        changed: { [weak self] in self?.devicesChanged() })
      lock.withLock { watches.append(watch) }
      nonisolated(unsafe) let handed = watch
      do {
        try opening.run.input.add(handed) { _ in }
      } catch {
        throw SensorError.noThread(reason: "\(error)")
      }
    }
  }

  /// Handles a source that failed or whose device was unplugged; called on the thread `mo-input`, which reads the
  /// sensors.
  private func lost(_ name: String, _ error: any Error) {
    let lost = lock.withLock { () -> Current? in
      guard let current, current.source.input.name == name, !hasEnded else { return nil }
      miss()
      return current
    }
    guard let lost else { return }
    lost.source.close()
    opening.notify(.lost(name: name, reason: "\(error)"))
    // By now, another device may exist, or this device again. A device that fails immediately is tried later.
    if opening.run.clock.now.seconds(since: lost.since) > 1 { devicesChanged() }
    if case .automatic = choice, sourceName == nil, !opening.run.waitsForDevices { try? useStandIn() }
  }

  /// Handles devices that appeared or disappeared: if no device is read, reads the named or the best device.
  private func devicesChanged() {
    let (isReading, ended) = lock.withLock { (current?.isDevice ?? false, hasEnded) }
    guard !isReading, !ended else { return }
    guard let device = nextDevice(), (try? use(device, isDevice: true)) != nil else { return }
    opening.notify(.using(name: device.input.name))
  }

  /// Opens the named or the best device; if that is not possible, stores the reason, and returns nil.
  private func nextDevice() -> OpenSource? {
    switch choice {
    case .automatic:
      let (device, reason) = anyDevice()
      if device == nil { store(reason, isLogged: false) }
      return device
    case .named(let row, let detail):
      guard row.folder != nil else { return nil }
      do {
        return try row.open(detail, opening)
      } catch {
        // The line about the loss has told that the device is missing.
        let isMissing = if case .noDevice? = error as? SensorError { true } else { false }
        store("\(error)", isLogged: isMissing)
        return nil
      }
    }
  }
}
