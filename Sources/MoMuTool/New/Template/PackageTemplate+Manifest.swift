extension PackageTemplate {
  /// The text of `Package.swift`.
  var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    // Debug builds are optimised, too, so that the sound does not drop out.
    let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

    let package = Package(
      name: "\(name.folder)",
      dependencies: [.package(name: "MoMu", path: \(quoted(momu)))],
      targets: [
        .executableTarget(
          name: "\(name.folder)",
          dependencies: [
            .product(name: "MoInstruments", package: "MoMu"), .product(name: "MoConsole", package: "MoMu"),
          ],
          swiftSettings: optimised),
        .testTarget(
          name: "\(name.folder)Tests",
          dependencies: ["\(name.folder)", .product(name: "MoTesting", package: "MoMu")],
          swiftSettings: optimised),
      ],
      swiftLanguageModes: [.v6]
    )

    """
  }

  /// Returns a text as a Swift string literal.
  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
