// swift-tools-version: 6.2
import PackageDescription

/// One folder under Examples/ each; `swift run NAME` and `swift run Examples/NAME` both start it.
let examples = ["OSCHello", "OSCSynth", "Orchestra", "Piano", "ShakeDrum", "TiltToOSC"]

/// Those that play together.
let ensembles = ["Orchestra"]

/// Those that play what is in the catalogue.
let recitals = ["Piano"]

// `swift run` builds debug, and unoptimised audio code allocates and misses its deadlines. A package that
// another depends on by version may not use unsafe flags, so they are given only where this one is the root.
let isRoot = !Context.packageDirectory.contains("/checkouts/")
let optimised: [SwiftSetting] = isRoot ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []
let optimisedC: [CSetting] = isRoot ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []
let swift: [SwiftSetting] =
  optimised + [
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
  ]

// The path of RealtimeSanitizer's runtime: it then watches the callbacks in place of the package's own check
// (Tests/Long/realtime-sanitizer).
let realtimeSanitizer = Context.environment["MOMU_RTSAN"]
let watchedC: [CSetting] = realtimeSanitizer == nil ? [] : [.define("MOMU_RTSAN")]
let watched: [LinkerSetting] =
  realtimeSanitizer.map { runtime in
    [
      .unsafeFlags([
        "-Xlinker", "--whole-archive", "-Xlinker", runtime, "-Xlinker", "--no-whole-archive", "-Xlinker",
        "--export-dynamic",
      ])
    ]
  } ?? []

let package = Package(
  name: "MoMu",
  products: [
    .library(name: "MoMu", targets: ["MoMu"]),
    .library(name: "MoInstruments", targets: ["MoInstruments"]),
    .library(name: "MoSTK", targets: ["MoSTK"]),
    .library(name: "MoOrchestra", targets: ["MoOrchestra"]),
    .library(name: "MoTesting", targets: ["MoTesting"]),
    .executable(name: "momu", targets: ["momu"]),
  ]
    + examples.flatMap { name -> [Product] in
      [
        .executable(name: name, targets: [name]),
        .executable(name: "Examples/\(name)", targets: [name]),
      ]
    },
  traits: [
    .trait(
      name: "STK", description: "The Synthesis ToolKit's instruments in MoSTK; needs libstk-dev and stk.")
  ],
  dependencies: [
    // For the tool's verbs only: no example is built with it.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    .target(name: "CMoSystem", cSettings: optimisedC + watchedC),
    .target(name: "CMoKernels", cSettings: optimisedC),
    .target(name: "MoTime", dependencies: ["CMoSystem"], swiftSettings: swift),
    .target(name: "MoDSP", dependencies: ["MoTime", "CMoKernels"], swiftSettings: swift),
    .target(name: "MoOSC", dependencies: ["CLiblo"], swiftSettings: swift),
    .target(
      name: "MoMu",
      dependencies: ["MoTime", "MoDSP", "MoOSC", "CALSA", "CEvdev", "CMoSystem"],
      swiftSettings: swift),
    .target(
      name: "MoInstruments", dependencies: ["MoMu", "MoDSP", "MoOSC", "MoTime", "CMoSystem", "CMoKernels"],
      swiftSettings: swift),
    // Both are empty without the trait.
    .target(
      name: "CMoSTK", cxxSettings: [.define("MOMU_STK", .when(traits: ["STK"]))],
      linkerSettings: [.linkedLibrary("stk", .when(traits: ["STK"]))]),
    .target(name: "MoSTK", dependencies: ["MoInstruments", "CMoSTK"], swiftSettings: swift),
    .target(name: "MoSessionCore", dependencies: ["MoTime", "MoOSC"], swiftSettings: swift),
    .target(
      name: "MoOrchestra", dependencies: ["MoSessionCore", "MoMu", "MoTime", "CMoSystem"],
      swiftSettings: swift),
    .target(name: "MoTesting", dependencies: ["MoMu", "MoTime", "MoDSP"], swiftSettings: swift),
    .target(
      name: "MoMuTool",
      dependencies: [
        "MoMu", "MoInstruments", "MoOrchestra", "MoSessionCore", "MoOSC", "MoTime", "CMoSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swift),
    .executableTarget(
      name: "momu", dependencies: ["MoMuTool"], path: "Sources/MoMuToolMain", swiftSettings: swift),
    .executableTarget(
      name: "RealTimeOffender", dependencies: ["MoMu", "MoInstruments"], path: "Tests/RealTimeOffender",
      swiftSettings: swift,
      linkerSettings: watched),
    .executableTarget(
      name: "momu-fuzz", dependencies: ["MoMu", "MoSessionCore", "MoTime"], path: "Tests/Fuzz/Program",
      swiftSettings: swift),
    .executableTarget(
      name: "NetPeer", dependencies: ["MoMu"], path: "Tests/NetPeer", swiftSettings: swift),
    .testTarget(
      name: "RealTimeTests", dependencies: ["MoMu", "MoTesting", "RealTimeOffender"], swiftSettings: swift),
    .executableTarget(
      name: "momu-bench", dependencies: ["MoInstruments", "MoMu", "CMoSystem"], path: "Tests/Bench/Program",
      swiftSettings: swift),
    .executableTarget(
      name: "Misbehave", dependencies: ["MoMu"], path: "Tests/Misbehave", swiftSettings: swift),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "MoMu", "MoTesting", "Misbehave", "NetPeer", "OSCHello", "OSCSynth", "Orchestra", "Piano",
        "ShakeDrum",
        "TiltToOSC",
      ],
      exclude: ["Outside"],
      swiftSettings: swift),
    .testTarget(
      name: "MoMuToolTests", dependencies: ["MoMu", "MoMuTool", "MoOSC", "MoTime", "MoTesting", "momu"],
      exclude: ["Doctor/Recorded"],
      swiftSettings: swift),
    .testTarget(
      name: "MoOrchestraTests", dependencies: ["MoOrchestra", "MoSessionCore", "MoMu"], swiftSettings: swift),
    .testTarget(name: "MoTimeTests", dependencies: ["MoTime", "MoSessionCore"], swiftSettings: swift),
    .testTarget(
      name: "MoSessionCoreTests", dependencies: ["MoSessionCore", "MoOSC", "MoTime"], swiftSettings: swift),
    .testTarget(
      name: "MoDSPTests", dependencies: ["MoDSP", "MoTime", "MoTesting"], exclude: ["Outside"],
      swiftSettings: swift),
    .testTarget(
      name: "MoInstrumentsTests",
      dependencies: ["MoInstruments", "MoDSP", "MoTime", "MoTesting", "CMoKernels"],
      swiftSettings: swift),
    .testTarget(
      name: "MoSTKTests", dependencies: ["MoSTK", "CMoSTK", "MoInstruments", "MoDSP", "MoTesting"],
      swiftSettings: swift),
    .testTarget(name: "MoOSCTests", dependencies: ["MoOSC"], swiftSettings: swift),
    .testTarget(
      name: "MoMuTests", dependencies: ["CALSA", "MoMu", "MoDSP", "MoTime", "MoOSC", "MoTesting"],
      exclude: ["Files/Outside"],
      swiftSettings: swift
    ),
  ]
    + examples.map {
      .executableTarget(
        name: $0,
        dependencies: ensembles.contains($0)
          ? ["MoOrchestra"] : recitals.contains($0) ? ["MoInstruments"] : ["MoMu"],
        path: "Examples/\($0)",
        swiftSettings: swift,
        linkerSettings: watched)
    }
    + [
      .executableTarget(
        name: "vm-guest", dependencies: ["MoMu", "CALSA", "CEvdev"], path: "Tests/VM/Guest",
        swiftSettings: swift)
    ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
