import MoNetwork
import MoRuntime

/// The network as a sensor's source: `net` or `net:PORT`.
package enum SensorPort {
  /// Returns the port number of `net:PORT`; nil for `net` alone, which means the port on which `MoNet` listens.
  ///
  /// - Throws: `SensorError.badPort`.
  package static func read<Reading>(
    _ detail: String?, _ opening: SensorOpenContext<Reading>
  ) throws(SensorError) -> Int? {
    guard let detail else { return nil }
    return try number(detail, option: opening.option)
  }

  /// Returns `text` as a port number, 1 … 65,535; the text of an error names the option `option`.
  ///
  /// - Throws: `SensorError.badPort`.
  static func number(_ text: String, option: String) throws(SensorError) -> Int {
    guard let port = wholeNumber(text), (1...65_535).contains(port) else {
      throw .badPort(text, option: option)
    }
    return port
  }

  /// Returns whether `--net` names a tape, which is then played in place of the network.
  ///
  /// - Throws: `SensorError.noNetwork` for `--net none`, `.notOffline` for the network in an offline run; `NetError`
  ///   for an invalid `--net`.
  package static func isTape<Reading>(_ opening: SensorOpenContext<Reading>) throws -> Bool {
    let network = try NetSource(opening.run.options.net)
    if network == .none { throw SensorError.noNetwork(option: opening.option) }
    if case .tape = network { return true }
    if opening.run.isOffline {
      throw SensorError.notOffline(name: "net", option: opening.option, known: opening.offlineForms)
    }
    return false
  }
}
