import MoCore

extension ServiceDirectory {
  /// Handles an event of the directory.
  package mutating func handle(_ event: Event, now: HostTime) {
    switch event {
    case .ready:
      status = .ready
      (failures, missedAt) = (0, nil)
      if !isHidden { publish() }
      if !isBrowsing { steps.append(.browse) }
      isBrowsing = true
    case .busy: if !isHidden { steps.append(.withdraw) }
    case .lost:
      steps.append(.disconnect)
      forgetAll()
      wait(.missing, now: now)
    case .unreachable(let reason): wait(.unreachable(reason), now: now)
    case .published: break
    case .taken:
      attempt += 1
      if attempt % Self.mostAttempts == 0 { publishAt = now.advanced(bySeconds: 60) } else { publish() }
    case .refused: publishAt = now.advanced(bySeconds: 60)
    case .appeared(let service): add(service)
    case .vanished(let service): remove(service)
    case .resolved(let service, let address, let port, let strings):
      setState(
        service, .answered,
        place(ServiceAnswer(service: service, address: address, port: port, strings: strings)))
    case .unresolved(let service): setState(service, .silent, entries[service]?.hint)
    }
    askNext()
  }

  /// Performs the actions that are due at `now`, such as another attempt to connect or to publish.
  ///
  /// - Parameter isMissing: returns whether the program still tries to reach the service at a place; such services are
  ///   resolved again every 30 s.
  package mutating func tick(at now: HostTime, isMissing: (Place) -> Bool) {
    if let due = connectAt, due <= now {
      connectAt = nil
      missedAt = now.advanced(bySeconds: 1)
      steps.append(.connect)
    }
    if let due = missedAt, due <= now {
      missedAt = nil
      status = .missing
    }
    if let due = publishAt, due <= now { publish() }
    if now >= reviewAt {
      reviewAt = now.advanced(bySeconds: Self.review)
      reviewAll(isMissing)
      askNext()
    }
  }

  private mutating func publish() {
    publishAt = nil
    steps.append(.publish(name: instance(attempt)))
  }

  private mutating func wait(_ status: Status, now: HostTime) {
    self.status = status
    (missedAt, publishAt) = (nil, nil)
    connectAt = now.advanced(bySeconds: Double(1 << min(failures, 5)))
    failures += 1
  }

  // MARK: services

  private mutating func add(_ service: ServiceName) {
    guard entries[service] == nil else { return }
    if entries.count == Self.most {
      counts.crowded += 1
      isCrowded = true
      // A service that is not wanted is dropped first.
      guard let idle = entries.first(where: { $0.value.isIdle })?.key else { return }
      entries[idle] = nil
    }
    entries[service] = Entry()
    // A new service must not wait behind hundreds that never answer.
    queue.insert(service, at: 0)
  }

  private mutating func remove(_ service: ServiceName) {
    guard let entry = entries.removeValue(forKey: service) else { return }
    switch entry.state {
    case .asked: asked -= 1
    case .waiting: queue.removeAll { $0 == service }
    case .answered, .silent: break
    }
    if let hint = entry.hint { withdraw(hint) }
  }

  private mutating func setState(_ service: ServiceName, _ state: Entry.State, _ hint: Place?) {
    guard let before = entries[service], before.state == .asked else { return }
    asked -= 1
    entries[service] = Entry(state: state, hint: hint)
    guard hint != before.hint else { return }
    if let gone = before.hint { withdraw(gone) }
    if let hint { findings.append(.hint(hint)) }
  }

  /// Adds the finding `gone` for the place `hint`, unless another entry of the directory has the same place.
  private mutating func withdraw(_ hint: Place) {
    if !entries.values.contains(where: { $0.hint == hint }) { findings.append(.gone(hint)) }
  }

  private mutating func forgetAll() {
    for hint in Set(entries.values.compactMap(\.hint)) { findings.append(.gone(hint)) }
    (entries, queue, asked) = ([:], [], 0)
    (isBrowsing, isCrowded) = (false, false)
  }

  private mutating func askNext() {
    while asked < Self.mostAsked, !queue.isEmpty {
      let service = queue.removeFirst()
      asked += 1
      entries[service]?.state = .asked
      steps.append(.resolve(service))
    }
  }

  /// Adds services to `queue`, so that they are resolved again: the services that the program still tries to reach, and
  /// the services that did not answer.
  ///
  /// The addresses of these services may have changed.
  ///
  /// If services were dropped because the list was full, and the list is now less than half full, all services are
  /// requested again.
  private mutating func reviewAll(_ isMissing: (Place) -> Bool) {
    for (service, entry) in entries {
      let isLost = entry.hint.map(isMissing) ?? (entry.state == .silent)
      guard isLost, entry.state == .answered || entry.state == .silent else { continue }
      entries[service]?.state = .waiting
      queue.append(service)
    }
    if isCrowded, entries.count < Self.most / 2 {
      isCrowded = false
      steps.append(.browse)
    }
  }

  private mutating func place(_ answer: ServiceAnswer) -> Place? {
    switch read(answer) {
    case .place(let place): return place
    case .own: break
    case .malformed: counts.malformed += 1
    case .otherVersion: counts.otherVersion += 1
    case .unreachable: counts.unreachable += 1
    }
    return nil
  }
}
