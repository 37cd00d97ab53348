import MoCore
import MoDSP

/// `noteOn`, `noteOff`, `strike` and `set` with numbers of type `Int` or `Double` instead of `Float`.
extension InstrumentHandle {
  /// Begins a note; see `noteOn` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func noteOn(
    _ pitch: Int, velocity: Float = 0.8, id: Int32? = nil, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { noteOn(Float(pitch), velocity: velocity, id: id, at: time, heardAt: heard) }

  /// Begins a note; see `noteOn` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func noteOn(
    _ pitch: Int, velocity: Double, id: Int32? = nil, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { noteOn(Float(pitch), velocity: Float(velocity), id: id, at: time, heardAt: heard) }

  /// Begins a note; see `noteOn` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func noteOn(
    _ pitch: Double, velocity: Double = 0.8, id: Int32? = nil, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { noteOn(Float(pitch), velocity: Float(velocity), id: id, at: time, heardAt: heard) }

  /// Releases a note; see `noteOff` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func noteOff(
    _ pitch: Int, id: Int32? = nil, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { noteOff(Float(pitch), id: id, at: time, heardAt: heard) }

  /// Strikes the instrument; see `strike` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func strike(
    _ force: Double, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { strike(Float(force), at: time, heardAt: heard) }

  /// Sets a parameter; see `set` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func set(
    _ name: String, to value: Double, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) throws(InstrumentError) -> Float { try set(name, to: Float(value), at: time, heardAt: heard) }
}
