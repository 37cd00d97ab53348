// swift-tools-version: 6.2
import PackageDescription

/// One folder under Examples/ each; `swift run NAME` and `swift run Examples/NAME` both start it.
let examples = [
  "CompassDrone", "DrumMachine", "Duet", "Echo", "GestureScope", "Neighbour", "OSCHello", "OSCSynth",
  "Orchestra",
  "PadSampler", "Piano", "ShakeDrum", "TiltToOSC", "TouchTheremin",
]

/// Those that play together, or can.
let ensembles = ["DrumMachine", "Duet", "Echo", "Neighbour", "Orchestra", "Piano"]
/// Those that play MoInstruments.
let players = ["PadSampler", "TouchTheremin"]
/// Those that make their sound of the signal kit's units.
let kits = ["CompassDrone", "OSCSynth", "Orchestra"]
/// Those that read other sensors than the accelerometer.
let sensing = ["CompassDrone", "PadSampler", "TouchTheremin"]

// `swift run` builds debug, and unoptimised audio code allocates and misses its deadlines: what the audio thread runs
// is hot, optimised in debug builds too. The rest is cold, which compiles in half the time. Either is compiled a module
// at a time, since nobody who plays changes it. A package that another depends on by version may not use unsafe flags,
// so they are given only where this one is the root.
let isRoot = !Context.packageDirectory.contains("/checkouts/")
func flags(_ flags: String...) -> [SwiftSetting] {
  isRoot ? [.unsafeFlags(flags, .when(configuration: .debug))] : []
}
let optimisedC: [CSetting] = isRoot ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []
// An index of the system's own modules, for editors, has them compiled anew from their interfaces: seven seconds.
let language: [SwiftSetting] =
  flags("-index-ignore-system-modules") + [
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
let whole = flags("-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode")
let cold = language + whole
let hot = language + whole + flags("-O")
let swift = language + flags("-O")

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

// `momu run` loads an instrument that is built against the modules which are linked into momu itself.
let exported: [LinkerSetting] = isRoot ? [.unsafeFlags(["-Xlinker", "--export-dynamic"])] : []

let package = Package(
  name: "MoMu",
  products: [
    .library(name: "MoMu", targets: ["MoMu"]),
    .library(name: "MoDSP", targets: ["MoDSP"]),
    .library(name: "MoMoreSensors", targets: ["MoMoreSensors"]),
    .library(name: "MoInstruments", targets: ["MoInstruments"]),
    .library(name: "MoSTK", targets: ["MoSTK"]),
    .library(name: "MoOrchestra", targets: ["MoOrchestra"]),
    .library(name: "MoEnsemble", targets: ["MoEnsemble"]),
    .library(name: "MoTesting", targets: ["MoTesting"]),
    .executable(name: "momu", targets: ["momu"]),
    .executable(name: "momu-rig", targets: ["momu-rig"]),
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
    .target(name: "MoTime", dependencies: ["CMoSystem"], swiftSettings: hot),
    .target(name: "MoSignal", dependencies: ["MoTime"], swiftSettings: hot),
    .target(name: "MoMotion", dependencies: ["MoTime"], swiftSettings: cold),
    .target(
      name: "MoDSP", dependencies: ["MoSignal", "MoMotion", "MoTime", "CMoKernels"], swiftSettings: hot),
    .target(name: "MoOSC", dependencies: ["CLiblo"], swiftSettings: hot),
    .target(name: "MoRealTime", dependencies: ["MoTime", "CMoSystem"], swiftSettings: hot),
    .target(name: "MoProgram", dependencies: ["MoRealTime", "MoTime", "CMoSystem"], swiftSettings: cold),
    .target(
      name: "MoEngine", dependencies: ["MoRealTime", "MoSignal", "MoTime", "CMoSystem"], swiftSettings: hot),
    .target(
      name: "MoSound",
      dependencies: ["MoEngine", "MoProgram", "MoRealTime", "MoSignal", "MoTime", "CALSA", "CMoSystem"],
      swiftSettings: cold),
    .target(
      name: "MoSoundFiles",
      dependencies: ["MoEngine", "MoProgram", "MoRealTime", "MoSignal", "CMoSystem"], swiftSettings: hot),
    .target(
      name: "MoNetwork",
      dependencies: ["MoProgram", "MoRealTime", "MoOSC", "MoTime", "CMoSystem"],
      swiftSettings: cold),
    .target(
      name: "MoSensors",
      dependencies: [
        "MoNetwork", "MoProgram", "MoRealTime", "MoMotion", "MoOSC", "MoTime", "CEvdev", "CMoSystem",
      ], swiftSettings: cold),
    .target(
      name: "MoMoreSensors",
      dependencies: [
        "MoSensors", "MoNetwork", "MoProgram", "MoRealTime", "MoMotion", "MoOSC", "MoTime", "CEvdev",
        "CMoSystem",
      ], swiftSettings: cold),
    .target(
      name: "MoRig",
      dependencies: [
        "MoMoreSensors", "MoSensors", "MoNetwork", "MoProgram", "MoRealTime", "MoOSC", "MoTime",
      ], swiftSettings: hot),
    .target(
      name: "MoMu",
      dependencies: [
        "MoSensors", "MoNetwork", "MoSoundFiles", "MoSound", "MoEngine", "MoProgram", "MoRealTime",
        "MoSignal",
        "MoMotion", "MoOSC", "MoTime", "CMoSystem",
      ], swiftSettings: cold),
    .target(
      name: "MoInstruments", dependencies: ["MoMu", "MoDSP", "MoOSC", "MoTime", "CMoSystem", "CMoKernels"],
      swiftSettings: hot),
    // Both are empty without the trait.
    .target(
      name: "CMoSTK", cxxSettings: [.define("MOMU_STK", .when(traits: ["STK"]))],
      linkerSettings: [.linkedLibrary("stk", .when(traits: ["STK"]))]),
    .target(name: "MoSTK", dependencies: ["MoInstruments", "CMoSTK"], swiftSettings: hot),
    // Messages, files, clock and the network's protocol: no ALSA, no sockets.
    .target(name: "MIDICore", dependencies: ["MoTime"], swiftSettings: hot),
    .target(name: "MoSessionCore", dependencies: ["MoTime", "MoOSC"], swiftSettings: hot),
    // For `momu simulate` and tests only.
    .target(
      name: "MoSessionSimulation", dependencies: ["MoSessionCore", "MoTime"], swiftSettings: hot),
    .target(name: "MoSealing", dependencies: ["MoTime"], swiftSettings: cold),
    .target(
      name: "MoOrchestra", dependencies: ["MoSessionCore", "MoSealing", "MoMu", "MoTime", "CMoSystem"],
      swiftSettings: hot),
    .target(
      name: "MoEnsemble", dependencies: ["MoInstruments", "MoOrchestra", "MoTime"], swiftSettings: hot),
    .target(
      name: "MoTesting", dependencies: ["MoInstruments", "MoMu", "MoTime", "MoDSP"], swiftSettings: swift),
    .target(
      name: "MoMuTool",
      dependencies: [
        "MoMu", "MoEnsemble", "MoInstruments", "MoOrchestra", "MoSessionCore", "MoSessionSimulation",
        "MoSealing", "MoRig", "MoMoreSensors",
        "MoSensors", "MoProgram", "MoOSC", "MoTime", "CMoSystem",
        .target(name: "MoSTK", condition: .when(traits: ["STK"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: hot),
    .executableTarget(
      name: "momu", dependencies: ["MoMuTool"], path: "Sources/MoMuToolMain", swiftSettings: swift,
      linkerSettings: exported),
    // A rig alone, for a machine that does nothing else: without the instruments and the command line's library.
    .executableTarget(
      name: "momu-rig", dependencies: ["MoRig"], path: "Sources/MoRigMain", swiftSettings: swift),
    .executableTarget(
      name: "RealTimeOffender", dependencies: ["MoMu", "MoDSP", "MoEngine", "MoInstruments", "MoTime"],
      path: "Tests/RealTimeOffender",
      swiftSettings: swift,
      linkerSettings: watched),
    .executableTarget(
      name: "momu-fuzz",
      dependencies: ["MoMu", "MoOrchestra", "MoSessionCore", "MoSealing", "MIDICore", "MoTime"],
      path: "Tests/Fuzz/Program", swiftSettings: swift),
    .executableTarget(
      name: "NetPeer", dependencies: ["MoMu"], path: "Tests/NetPeer", swiftSettings: swift),
    .testTarget(
      name: "RealTimeTests", dependencies: ["MoMu", "MoTesting", "RealTimeOffender"], swiftSettings: swift),
    .executableTarget(
      name: "momu-bench", dependencies: ["MoMu", "MoDSP", "MoEngine", "MoInstruments", "CMoSystem"],
      path: "Tests/Bench/Program",
      swiftSettings: swift),
    .executableTarget(
      name: "momu-listen", dependencies: ["MoInstruments", "MoDSP", "MoTime"], path: "Tests/Listen/Program",
      swiftSettings: swift),
    .executableTarget(
      name: "SoundProbe", dependencies: ["MoInstruments", "MoMu", "MoRealTime", "MoTime"],
      path: "Tests/SoundProbe", swiftSettings: swift),
    .executableTarget(
      name: "Misbehave", dependencies: ["MoMu"], path: "Tests/Misbehave", swiftSettings: swift),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "MoMu", "MoDSP", "MoTesting", "momu", "CompassDrone", "DrumMachine", "Duet", "Echo", "GestureScope",
        "Misbehave",
        "Neighbour", "NetPeer", "OSCHello", "OSCSynth", "Orchestra", "PadSampler", "Piano", "ShakeDrum",
        "SoundProbe",
        "TiltToOSC",
        "TouchTheremin",
      ],
      exclude: ["Outside"],
      swiftSettings: swift),
    .testTarget(
      name: "MoMuToolTests",
      dependencies: [
        "MoMu", "MoMuTool", "MoEnsemble", "MoOrchestra", "MoSessionCore", "MoSessionSimulation",
        "MoInstruments", "MoProgram", "MoEngine",
        "MoRig", "MoOSC", "MoTime", "MoTesting", "momu",
      ],
      exclude: ["Doctor/Recorded", "Session/Outside"],
      swiftSettings: swift),
    .testTarget(
      name: "MoOrchestraTests",
      dependencies: [
        "MoOrchestra", "MoSessionCore", "MoSessionSimulation", "MoSealing", "MoMu", "MoOSC", "MoProgram",
        "MoTime", "MoTesting",
      ],
      swiftSettings: swift),
    .testTarget(
      name: "MoEnsembleTests",
      dependencies: [
        "MoEnsemble", "MoInstruments", "MoOrchestra", "MoSessionSimulation", "MoProgram", "MoDSP", "MoTime",
        "MoTesting",
      ],
      swiftSettings: swift),
    .testTarget(
      name: "MoMoreSensorsTests",
      dependencies: [
        "MoMoreSensors", "MoSensors", "MoNetwork", "MoProgram", "MoRealTime", "MoMotion", "MoOSC", "MoTime",
        "CEvdev",
      ],
      swiftSettings: swift),
    .testTarget(
      name: "MoRigTests",
      dependencies: [
        "MoRig", "MoMoreSensors", "MoSensors", "MoNetwork", "MoProgram", "MoRealTime", "MoOSC", "MoTime",
        "MoTesting",
      ],
      swiftSettings: swift),
    .testTarget(name: "MoTimeTests", dependencies: ["MoTime", "MoSessionCore"], swiftSettings: swift),
    .testTarget(
      name: "MoSessionCoreTests",
      dependencies: ["MoSessionCore", "MoSessionSimulation", "MoOSC", "MoTime"], swiftSettings: swift),
    .testTarget(name: "MoSealingTests", dependencies: ["MoSealing", "MoTime"], swiftSettings: swift),
    .testTarget(name: "MoMotionTests", dependencies: ["MoMotion", "MoTime"], swiftSettings: swift),
    .testTarget(
      name: "MoDSPTests", dependencies: ["MoDSP", "MoSignal", "MoTime", "MoTesting"], exclude: ["Outside"],
      swiftSettings: swift),
    .testTarget(
      name: "MoInstrumentsTests",
      dependencies: ["MoInstruments", "MoDSP", "MoOSC", "MoRealTime", "MoTesting", "MoTime", "CMoKernels"],
      swiftSettings: swift),
    .testTarget(
      name: "MoSTKTests", dependencies: ["MoSTK", "CMoSTK", "MoInstruments", "MoDSP", "MoTesting"],
      swiftSettings: swift),
    .testTarget(
      name: "MIDICoreTests", dependencies: ["MIDICore", "MoTime"], exclude: ["Outside"],
      swiftSettings: swift),
    .testTarget(name: "MoOSCTests", dependencies: ["MoOSC"], swiftSettings: swift),
    .testTarget(
      name: "MoMuTests",
      dependencies: [
        "MoSensors", "MoNetwork", "MoSoundFiles", "MoSound", "MoEngine", "MoProgram", "MoRealTime", "MoDSP",
        "MoSignal", "MoMotion", "MoOSC", "MoTime", "CALSA", "MoMu", "MoTesting",
      ],
      exclude: ["Files/Outside"],
      swiftSettings: swift
    ),
  ]
    + examples.map {
      .executableTarget(
        name: $0,
        dependencies: (ensembles.contains($0)
          ? ["MoEnsemble"] : players.contains($0) ? ["MoInstruments"] : ["MoMu"])
          + (kits.contains($0) ? ["MoDSP"] : []) + (sensing.contains($0) ? ["MoMoreSensors"] : []),
        path: "Examples/\($0)",
        swiftSettings: swift,
        linkerSettings: watched)
    }
    + [
      .executableTarget(
        name: "vm-guest", dependencies: ["MoMu", "MoMoreSensors", "CALSA", "CEvdev"], path: "Tests/VM/Guest",
        swiftSettings: swift)
    ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
