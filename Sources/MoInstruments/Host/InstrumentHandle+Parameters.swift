import MoCore
import MoDSP
import Synchronization

extension InstrumentHandle {
  /// What can be set: its own parameters, and `loudness`.
  public var parameters: [Parameter] { seat.parameters }

  /// Sets a parameter; out of range counts as the range's end.
  ///
  /// - Returns: what was taken.
  /// - Throws: `InstrumentError.unknownParameter`, or `.noNumber` for NaN.
  @discardableResult
  public func set(
    _ name: String, to value: Float, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) throws(InstrumentError) -> Float {
    guard let index = index(of: name) else {
      throw .unknownParameter(instrument: self.name, name: name, has: parameters.map(\.name))
    }
    guard let taken = set(index, to: value, at: time, heardAt: heard) else {
      throw .noNumber(instrument: self.name, parameter: name, range: parameters[index].range)
    }
    return taken
  }

  /// What a parameter was last set to; nil where there is none of that name.
  public func value(_ name: String) -> Float? { index(of: name).map(value) }

  /// How loud it is, 0 … 1, and 0.8 at first.
  ///
  /// The gain is the square of it.
  public var loudness: Float {
    get { value(seat.parameters.count - 1) }
    set { set(seat.parameters.count - 1, to: newValue) }
  }

  /// The place of a parameter among `parameters`.
  public func index(of name: String) -> Int? { seat.parameters.firstIndex { $0.name == name } }

  /// The places of the parameters.
  ///
  /// - Real-time safe: yes.
  public var parameterRange: Range<Int> { 0..<seat.parameterCount }

  /// What the parameter at a place was last set to.
  public func value(_ index: Int) -> Float {
    Float(bitPattern: seat.shown[index].load(ordering: .relaxed))
  }

  /// Sets the parameter at a place of `parameters`; what was taken, nil where it is no number.
  ///
  /// - Real-time safe: yes.
  @discardableResult
  public func set(
    _ index: Int, to value: Float, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Float? {
    guard let taken = seat.parameters[index].taken(value),
      seat.send(.set(index: Int32(index), value: taken), played: time, heard: heard)
    else {
      seat.refused.wrappingAdd(1, ordering: .relaxed)
      return nil
    }
    seat.shown[index].store(taken.bitPattern, ordering: .relaxed)
    return taken
  }
}
