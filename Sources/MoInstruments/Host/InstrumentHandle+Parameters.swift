import MoCore
import MoDSP
import Synchronization

extension InstrumentHandle {
  /// The parameters: the instrument's own, then `loudness`.
  public var parameters: [Parameter] { seat.parameters }

  /// Sets a parameter; a value out of range is clamped.
  ///
  /// - Returns: the value that was set.
  /// - Throws: `InstrumentError.unknownParameter`; `.noNumber` if the value is NaN or the queue is full.
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

  /// Returns the last value set for a parameter, at first its default; nil if no parameter has the name.
  public func value(_ name: String) -> Float? { index(of: name).map(value) }

  /// The loudness, 0 … 1 (default 0.8).
  ///
  /// The gain is the square of the loudness.
  public var loudness: Float {
    get { value(seat.parameters.count - 1) }
    set { set(seat.parameters.count - 1, to: newValue) }
  }

  /// Returns the index of a parameter in `parameters`; nil if no parameter has that name.
  public func index(of name: String) -> Int? { seat.parameters.firstIndex { $0.name == name } }

  /// The indices of the instrument's parameters in `parameters`.
  ///
  /// - Real-time safe: yes.
  public var parameterRange: Range<Int> { 0..<seat.bank.count }

  /// Returns the last value set for the parameter at an index of `parameters`, at first its default.
  public func value(_ index: Int) -> Float { seat.bank.value(index) }

  /// Sets the parameter at an index of `parameters`; a value out of range is clamped.
  ///
  /// - Returns: the value that was set; nil if the value was refused, because of NaN or a full queue.
  /// - Real-time safe: yes.
  @discardableResult
  public func set(
    _ index: Int, to value: Float, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Float? {
    guard let taken = seat.parameters[index].taken(value),
      seat.send(.set(index: Int32(index), value: taken), played: time, heard: heard)
    else {
      seat.inbox.refuse()
      return nil
    }
    seat.bank.show(taken, at: index)
    return taken
  }
}
