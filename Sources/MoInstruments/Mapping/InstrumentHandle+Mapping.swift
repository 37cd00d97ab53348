import MoMu

extension InstrumentHandle {
  /// How movement reaches the instrument; it may be changed while it plays.
  ///
  /// At first it is what the instrument's sheet says.
  ///
  /// - Real-time safe: no.
  public var mapping: Mapping {
    get { seat.mapper.withLock { $0.mapping } }
    set { seat.mapper.withLock { $0.mapping = newValue } }
  }

  /// Reads a mapping from a file in place of the one that is followed.
  ///
  /// - Throws: `MappingError`, which names the line; the one before is followed on.
  public func readMapping(file path: String) throws(MappingError) {
    mapping = try Mapping(file: path, parameters: parameters.map(\.name))
  }

  /// Hands it a reading of the accelerometer, which its mapping follows.
  ///
  /// The instrument gets the reading as well, as `InstrumentEvent.motion`.
  ///
  /// - Parameter time: when it takes effect; left out, when the sensor measured it.
  /// - Thread: one at a time; the sensor's most often.
  /// - Real-time safe: no.
  public func move(_ motion: Motion, at time: HostTime? = nil) {
    var motion = motion
    if let time { motion.time = time }
    guard send(.motion(motion), at: motion.time) else { return }
    seat.mapper.withLock { $0.read(motion, self) }
  }

  /// Moves it with the accelerometer: every reading reaches the instrument at its moment.
  ///
  /// - Returns: a token whose `cancel()` ends that.
  /// - Throws: `AccelError` where the source cannot be opened.
  @discardableResult
  public func followMotion() throws -> MoToken { try MoAccel.addCallback { [self] motion in move(motion) } }
}
