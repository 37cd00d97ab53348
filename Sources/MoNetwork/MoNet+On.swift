import MoCore
import MoOSC

extension MoNet {
  /// Calls `body` with the values of every message for an address.
  ///
  /// `body` gets no time. If its first parameter is a `NetMessage`, it gets the time of the message, too.
  ///
  /// ```swift
  /// MoNet.on("/tilt") { (x: Float, y: Float) in … }
  /// ```
  ///
  /// `OSCReadable` lists how values are converted. A message with other types, or with more or fewer values, is
  /// counted as mismatched, and the first such message is reported. The call also makes the program listen. Inside
  /// `MoApp.run`, listening begins after the set-up, so that `listen(port:)` may still choose the port; elsewhere it
  /// begins immediately.
  ///
  /// If `pattern` is not valid, or the port is taken, `MoApp.run` ends with the error after the set-up. Outside the
  /// set-up, a warning is logged. With a pattern that is not valid, `body` is never called.
  ///
  /// - Parameters:
  ///   - pattern: an address such as `/drum/hit`, or a pattern: `/drum/*`, `//hit`, `//*` for everything.
  ///   - policy: the treatment of messages that arrive faster than they are handled.
  ///   - late: the treatment of messages whose time tag has passed.
  ///   - delivery: the thread that calls `body`.
  ///   - body: receives the values.
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

  /// Calls `body` with every message for an address, and also with the message's values if `body` has parameters for
  /// values.
  ///
  /// ```swift
  /// import MoInstruments
  ///
  /// let drum = try MoAudio.play(DrumKit())
  /// MoNet.on("/ping") { message in try? message.reply("/pong") }
  /// MoNet.on("/hit") { (message: NetMessage, force: Float) in drum.strike(force, at: message.time) }
  /// ```
  ///
  /// A body without parameters for values accepts messages with any values. All other rules and parameters are those
  /// of the `on` whose body receives only values.
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

  /// Converts every message for an address, and pushes the result into a queue for the audio callback.
  ///
  /// A result is pushed when its message is due. If the queue is full, the message is counted as dropped.
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

  /// Converts every message for an address, and schedules the result for its exact frame of the audio callback.
  ///
  /// If a bundle's time tag is in the future, its messages are scheduled for that time as soon as they arrive.
  ///
  /// <!-- with: var voice = Chime() -->
  ///
  /// ```swift
  /// let notes = MoSchedule<Note>()
  /// MoNet.on("/note", into: notes) { (pitch: Float, force: Float) in Note(pitch, velocity: force) }
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

  /// Calls `body` with every message for an address as soon as the message arrives, even if its time tag is in the
  /// future.
  ///
  /// - Parameter body: receives the time at which the message takes effect, which is its time tag or, without a time
  ///   tag, its arrival. The second parameter is the time tag if it is in the future, else nil. `body` returns false if
  ///   it cannot store the message, which is then counted as dropped.
  package static func onAhead<each Value: OSCReadable>(
    _ pattern: String, _ body: @escaping @Sendable (HostTime, HostTime?, repeat each Value) -> Bool
  ) -> MoToken {
    NetServer.shared.on(pattern, .every, .play, isAhead: true, wants: "\((repeat each Value).self)") {
      values, context in
      guard let read: (repeat each Value) = values.read() else { return .mismatched }
      return body(context.time, context.moment, repeat each read) ? .taken : .full
    }
  }

  /// Fires `trigger` for every message for an address.
  ///
  /// The strike sounds at the exact frame of the message's time. Its force is the first value. The force of a message
  /// without values is 1.
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

  /// Returns the values, converted to the types of a callback's parameters; nil if the callback has more or fewer
  /// parameters, or if a value does not convert.
  @inlinable
  func read<each Value: OSCReadable>() -> (repeat each Value)? {
    var wanted = 0
    for _ in repeat (each Value).self { wanted += 1 }
    guard count == wanted else { return nil }
    var index = 0
    do { return (repeat try next((each Value).self, &index)) } catch { return nil }
  }

  /// Returns the values as `read` does; a callback without parameters for values accepts a message with any values.
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

/// The treatment of messages that arrive faster than the callbacks of their address handle them.
public enum NetPolicy: Sendable, Equatable {
  /// Each message is delivered, in order of arrival; if a queue is full, the message is dropped and counted.
  case every
  /// As `every`, but no message is delivered after a later message of the same sender.
  ///
  /// A message's time is its time tag, or its arrival if it has no time tag. A message is dropped and counted if its
  /// time is earlier than that of a delivered message of the same sender.
  ///
  /// The order is kept only for the first 256 senders. `MoNet.statistics` counts these senders separately. If another
  /// callback for the same address has the policy `every`, all callbacks for this address get every message.
  case ordered
  /// Only the newest message waits: a new message replaces the waiting message, which is counted as dropped.
  ///
  /// The policy limits only messages that wait for the network thread. With `deliver: .main` or a queue, up to 1024
  /// calls wait. If a callback with another policy has the same address, all messages are delivered.
  ///
  /// This policy suits faders and sensors, since only their latest value matters. Messages of this policy and
  /// messages of the other policies are delivered in turn, so that a fader does not wait behind all other messages.
  case latest
}

/// The treatment of a message whose time tag has passed when it arrives.
///
/// If several callbacks have the same address, the most generous treatment applies to all of them.
public enum NetLate: Sendable, Equatable {
  /// The message is delivered immediately, and counted as late.
  case play
  /// A message that is late by more than the given number of seconds is dropped, and counted as late and as dropped.
  case dropAfter(Double)

  /// The treatment that drops every late message.
  public static let drop = NetLate.dropAfter(0)
}

extension NetServer {
  /// Adds a callback for an address or pattern, and makes the server listen; the network thread calls `body`.
  ///
  /// - Parameters:
  ///   - isAhead: whether a message with a future time tag is delivered as soon as it arrives.
  ///   - wants: the expected types, such as `(Float, Float)`, for the warning about a mismatch.
  ///   - handOver: the queue in which `body` puts its calls for another thread; nil if there is none.
  @usableFromInline
  package func on(
    _ pattern: String, _ policy: NetPolicy, _ late: NetLate, isAhead: Bool = false, wants: String,
    handOver: NetCallQueue? = nil, _ body: @escaping @Sendable (NetValues, NetContext) -> NetCallResult
  ) -> MoToken {
    let read: OSCAddressPattern
    do throws(OSCError) {
      read = try OSCAddressPattern(pattern)
    } catch {
      refuse(.unsendable(error))
      return MoToken {}
    }
    let token = inbound.add(
      NetMethod(read, policy: policy, late: late, isAhead: isAhead, wants: wants, handOver: handOver, body))
    want()
    return token
  }
}
