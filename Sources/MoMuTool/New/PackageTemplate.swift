import Glibc
import MoMu

/// The package that `momu new` creates; the texts of the package's files follow in extensions.
struct PackageTemplate {
  let name: PackageName
  /// The folder of MoMu's sources.
  let momu: String

  /// The path of the instrument's file, relative to the package.
  var instrumentFile: String { "Sources/\(name.folder)/\(name.type).swift" }

  /// The files of the package: their paths, relative to the package, and their texts.
  var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest),
      (instrumentFile, instrument),
      ("Sources/\(name.folder)/main.swift", main),
      ("Tests/\(name.folder)Tests/\(name.type)Tests.swift", tests),
      (".gitignore", ".build/\n*.wav\n"),
    ]
  }

  /// Creates the folder and all files of the package.
  ///
  /// - Throws: `NewError.cannotWrite`; files already written stay.
  func write(to folder: String) throws(NewError) {
    for file in files {
      let path = "\(folder)/\(file.path)"
      try makeFolders(to: path)
      if let reason = WholeFile.write(file.text, to: path, isPrivate: false) {
        throw .cannotWrite(path: path, reason: reason)
      }
    }
  }

  private func makeFolders(to path: String) throws(NewError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += folder.isEmpty ? String(part) : "/\(part)"
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw .cannotWrite(path: folder, reason: String(cString: strerror(errno)))
      }
    }
  }
}

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

extension PackageTemplate {
  /// The source of the instrument.
  var instrument: String {
    """
    import MoInstruments

    /// A bell: strike it and it rings, tilt it for the note.
    struct \(name.type): Instrument {
      static let sheet = InstrumentInfo(
        name: "\(name.address)", summary: "a bell that you strike; tilt it for the note", plays: 36...96, tail: 5,
        mapping: \"""
          tilt-roll -45..45 -> note C4..C6 in major-pentatonic C4
          jerk -> strike 0.3..1
          \""")

      /// The parameters that you can set while it plays.
      enum Control: Int, InstrumentControl {
        case brightness

        var parameter: Parameter {
          switch self {
          case .brightness: Parameter("brightness", 0...1, default: 0.4, about: "strength of the metallic tone")
          }
        }
      }

      private var tone = Sine()
      private var metal = Sine()
      private var energy: Float = 0  // a strike sets it; then it falls to 0
      private var level: Float = 0  // moves to the energy in small steps
      private var loss = 0.0

      init(seed: UInt64?) {}

      var isSounding: Bool { energy > 1e-5 || level > 1e-5 }

      mutating func prepare(sampleRate: Double, blockFrames: Int) {
        tone.prepare(sampleRate: sampleRate)
        metal.prepare(sampleRate: sampleRate)
        loss = 3 / sampleRate
        (energy, level) = (0, 0)
      }

      mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
        switch event {
        case .noteOn(let note): strike(note)
        case .strike(let force): strike(Note(72, velocity: force))
        case .allOff: energy = 0
        default: break
        }
      }

      private mutating func strike(_ note: Note) {
        tone.frequency = note.frequency
        metal.frequency = 2.76 * note.frequency
        energy = note.velocity
      }

      mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
        for frame in block.frames {
          energy -= loss * energy
          level += 0.02 * (energy - level)
          let ripple = controls[.brightness, frame] * level * metal.tick()
          block[frame] = 0.5 * level * tone.tick(shiftedBy: 0.5 * ripple)
        }
      }
    }

    """
  }
}

extension PackageTemplate {
  /// The source of the program that plays the instrument.
  var main: String {
    """
    import MoConsole

    MoApp.playTogether(\(name.type).self)

    """
  }
}

extension PackageTemplate {
  /// The source of the tests.
  var tests: String {
    """
    import MoTesting
    import Testing

    @testable import \(name.folder)

    @Suite("\(name.type)")
    struct \(name.type)Tests {
      @Test("keeps the laws that every instrument keeps", arguments: InstrumentLaw.all)
      func law(law: InstrumentLaw) throws { try law.hold(\(name.type).self) }

      @Test("is louder when it is struck harder")
      func force() throws {
        var soft = InstrumentRender(\(name.type).self)
        soft.note(72, velocity: 0.2, from: 0)
        var hard = InstrumentRender(\(name.type).self)
        hard.note(72, velocity: 0.9, from: 0)
        #expect(try hard.take(seconds: 0.5).peak > 2 * soft.take(seconds: 0.5).peak)
      }
    }

    """
  }
}
