struct ALSADeviceOpener: DeviceOpener {
  func open(_ name: String, wanted: AudioFormat) throws -> any AudioDevice {
    throw AudioError.unknownDevice(name: name, reason: "stub")
  }
  func currentDefault() -> String? { nil }
  func devices() -> [NamedDevice] { [] }
  var changes: Int32? { nil }
  func drainChanges() {}
}
