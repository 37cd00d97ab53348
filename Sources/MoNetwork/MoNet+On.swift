import MoCore
import MoOSC

extension MoNet {
  /// Calls `body` with the values of every message for an address.
  ///
  /// ```swift
  /// MoNet.on("/tilt") { (x: Float, y: Float) in … }
  /// ```
  ///
  /// Values are converted as `OSCReadable` lists them; a message with others, or with more or fewer, is counted as
  /// mismatched, and the first is told of. It starts to listen: inside `MoApp.run` once the set-up is done, so that
  /// `listen(port:)` may still say where; elsewhere at once.
  ///
  /// - Parameters:
  ///   - pattern: an address such as `/drum/hit`, or a pattern: `/drum/*`, `//hit`, `//*` for everything.
  ///   - policy: what happens to messages that come faster than they are taken.
  ///   - late: what happens to messages whose time tag has passed.
  ///   - delivery: the thread that calls `body`.
  /// - Returns: a token whose `cancel()` stops the calls.
  @inlinable
  @discardableResult
  public static func on<each Value: OSCReadable>(
    _ pattern: String, policy: NetPolicy = .every, late: NetLate = .play,
    deliver delivery: NetDelivery = .network,
    _ body: @escaping @Sendable (repeat each Value) -> Void
  ) -> MoToken {
    let server = NetServer.shared
    let wants = "\((repeat each Value).self)"
    guard let handOver = NetCallQueue(delivery) else {
      return server.on(pattern, policy, late, wants: wants) { values, _ in
        guard let read: (repeat each Value) = values.read() else { return .mismatched }
        body(repeat each read)
        return .taken
      }
    }
    return server.on(pattern, policy, late, wants: wants, handOver: handOver) { values, context in
      guard let read: (repeat each Value) = values.read() else { return .mismatched }
      return handOver.put(context) { body(repeat each read) } ? .taken : .full
    }
  }

  /// Calls `body` with every message for an address, and its values after it where it names some.
  ///
  /// ```swift
  /// MoNet.on("/ping") { message in try? message.reply("/pong") }
  /// MoNet.on("/hit") { (message: NetMessage, force: Float) in drum.strike(force, at: message.time) }
  /// ```
  ///
  /// A body that names no values takes messages with any. The rest is as for the other `on`.
  @inlinable
  @discardableResult
  public static func on<each Value: OSCReadable>(
    _ pattern: String, policy: NetPolicy = .every, late: NetLate = .play,
    deliver delivery: NetDelivery = .network,
    _ body: @escaping @Sendable (NetMessage, repeat each Value) -> Void
  ) -> MoToken {
    let server = NetServer.shared
    let wants = "\((repeat each Value).self)"
    guard let handOver = NetCallQueue(delivery) else {
      return server.on(pattern, policy, late, wants: wants) { values, context in
        guard let read: (repeat each Value) = values.readOrIgnore() else { return .mismatched }
        body(NetMessage(values, context), repeat each read)
        return .taken
      }
    }
    return server.on(pattern, policy, late, wants: wants, handOver: handOver) { values, context in
      guard let read: (repeat each Value) = values.readOrIgnore() else { return .mismatched }
      let message = NetMessage(values, context)
      return handOver.put(context) { body(message, repeat each read) } ? .taken : .full
    }
  }

  /// Puts what `convert` makes of every message for an address into a queue, for the audio callback.
  ///
  /// A message is put there when it is due. Where the queue is full, it is counted as dropped.
  ///
  /// ```swift
  /// let bends = MoQueue<Float>(capacity: 64)
  /// MoNet.on("/bend", into: bends) { (amount: Float) in amount }
  /// ```
  @inlinable
  @discardableResult
  public static func on<Element, each Value: OSCReadable>(
    _ pattern: String, policy: NetPolicy = .every, late: NetLate = .play, into queue: MoQueue<Element>,
    _ convert: @escaping @Sendable (repeat each Value) -> Element
  ) -> MoToken {
    NetServer.shared.on(pattern, policy, late, wants: "\((repeat each Value).self)") { values, _ in
      guard let read: (repeat each Value) = values.read() else { return .mismatched }
      return queue.push(convert(repeat each read)) ? .taken : .full
    }
  }

  /// Schedules what `convert` makes of every message for an address, for the audio callback at its exact frame.
  ///
  /// A message from a bundle for the future is handed over at once, with the moment of its time tag.
  ///
  /// ```swift
  /// let notes = MoSchedule<Note>()
  /// MoNet.on("/note", into: notes) { (pitch: Float, force: Float) in Note(pitch, force) }
  /// // in the audio callback, for each frame
  /// while let note = notes.due(at: block.time(frame)) { voice.start(note) }
  /// ```
  @inlinable
  @discardableResult
  public static func on<Element, each Value: OSCReadable>(
    _ pattern: String, late: NetLate = .play, into schedule: MoSchedule<Element>,
    _ convert: @escaping @Sendable (repeat each Value) -> Element
  ) -> MoToken {
    NetServer.shared.on(pattern, .every, late, isAhead: true, wants: "\((repeat each Value).self)") {
      values, context in
      guard let read: (repeat each Value) = values.read() else { return .mismatched }
      return schedule.add(convert(repeat each read), at: context.time) ? .taken : .full
    }
  }

  /// Hands every message for an address over ahead of its time, with both kinds of time.
  ///
  /// - Parameter body: gets when the message was played (its arrival), and the moment of its time tag if that is to come;
  ///   false if there is no room for it.
  package static func onAhead<each Value: OSCReadable>(
    _ pattern: String, _ body: @escaping @Sendable (HostTime, HostTime?, repeat each Value) -> Bool
  ) -> MoToken {
    NetServer.shared.on(pattern, .every, .play, isAhead: true, wants: "\((repeat each Value).self)") {
      values, context in
      guard let read: (repeat each Value) = values.read() else { return .mismatched }
      return body(context.time, context.moment, repeat each read) ? .taken : .full
    }
  }

  /// Fires a trigger with the first value of every message for an address, 1 where it has none, at its exact frame.
  @discardableResult
  public static func on(_ pattern: String, late: NetLate = .play, fire trigger: MoTrigger) -> MoToken {
    NetServer.shared.on(pattern, .every, late, isAhead: true, wants: "(Float)") { values, context in
      guard values.count > 0 else { return trigger.fire(1, at: context.time) ? .taken : .full }
      guard let force = Float(osc: values[0]) else { return .mismatched }
      return trigger.fire(force, at: context.time) ? .taken : .full
    }
  }
}

extension NetValues {
  @usableFromInline struct Mismatch: Error {
    @usableFromInline init() {}
  }

  /// The values as those of a callback; nil where they are not as many or do not convert.
  @inlinable
  func read<each Value: OSCReadable>() -> (repeat each Value)? {
    var wanted = 0
    for _ in repeat (each Value).self { wanted += 1 }
    guard count == wanted else { return nil }
    var index = 0
    do { return (repeat try next((each Value).self, &index)) } catch { return nil }
  }

  /// As `read`, but for a callback that wants no values any will do.
  @inlinable
  func readOrIgnore<each Value: OSCReadable>() -> (repeat each Value)? {
    var wanted = 0
    for _ in repeat (each Value).self { wanted += 1 }
    var index = 0
    guard count == wanted || wanted == 0 else { return nil }
    do { return (repeat try next((each Value).self, &index)) } catch { return nil }
  }

  @inlinable
  func next<Value: OSCReadable>(_: Value.Type, _ index: inout Int) throws -> Value {
    defer { index += 1 }
    guard let value = Value(osc: self[index]) else { throw Mismatch() }
    return value
  }
}
