// swift-tools-version: 6.2
import PackageDescription

/// One folder under Examples/ each; `swift run NAME` and `swift run Examples/NAME` both start it.
let examples = [
  "CompassDrone", "DrumMachine", "Duet", "Echo", "GestureScope", "Neighbour", "OSCHello", "OSCSynth",
  "Orchestra", "PadSampler", "Piano", "ShakeDrum", "TiltToMIDI", "TiltToOSC", "TouchTheremin",
]

/// The examples that import more than MoMu, and what they import.
let imports = [
  "DrumMachine": "MoConsole", "Duet": "MoConsole", "Echo": "MoConsole", "Neighbour": "MoConsole",
  "Orchestra": "MoConsole", "PadSampler": "MoInstruments", "Piano": "MoConsole",
  "TiltToMIDI": "MoInstruments",
  "TouchTheremin": "MoInstruments",
]

// `swift run` builds debug, and unoptimised audio code allocates and misses its deadlines: what the audio thread runs
// is hot, optimised in debug builds too. The rest is cold, which compiles in half the time. Either is compiled a module
// at a time, since players do not change it. A package that another depends on by version may not use unsafe flags,
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
// A separate job for a module's interface saves no time, since SwiftPM waits until the whole module is compiled.
let whole = flags(
  "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode", "-no-emit-module-separately-wmo")
let cold = language + whole
let hot = language + whole + flags("-O")
let swift = language + flags("-O")
// Optimised tests take twice as long to compile. Only tests that compute sound themselves are worth that.
let tests = language

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

let systemC: [CSetting] = optimisedC + watchedC

// `momu run` loads an instrument that is built against the modules which are linked into momu itself.
let exported: [LinkerSetting] = isRoot ? [.unsafeFlags(["-Xlinker", "--export-dynamic"])] : []

// Swift 6.2 cannot check the types of one expression that also holds these lists.
let ownProducts: [Product] = [
  .library(name: "MoMu", targets: ["MoMu"]),
  .library(name: "MoDSP", targets: ["MoDSP"]),
  .library(name: "MoMIDI", targets: ["MoMIDI"]),
  .library(name: "MoInstruments", targets: ["MoInstruments"]),
  .library(name: "MoSTK", targets: ["MoSTK"]),
  .library(name: "MoOrchestra", targets: ["MoOrchestra"]),
  .library(name: "MoConsole", targets: ["MoConsole"]),
  .library(name: "MoTesting", targets: ["MoTesting"]),
  .executable(name: "momu", targets: ["momu"]),
  .executable(name: "momu-rig", targets: ["momu-rig"]),
]
let exampleProducts: [Product] = examples.flatMap { name -> [Product] in
  [.executable(name: name, targets: [name]), .executable(name: "Examples/\(name)", targets: [name])]
}

let package = Package(
  name: "MoMu",
  products: ownProducts + exampleProducts,
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
    .target(name: "CMoSystem", cSettings: systemC),
    .target(name: "CMoKernels", cSettings: optimisedC),
    .target(name: "MoCore", dependencies: ["CMoSystem"], swiftSettings: hot),
    .target(name: "MoRuntime", dependencies: ["MoCore", "CMoSystem"], swiftSettings: cold),
    .target(name: "MoDSPCore", dependencies: ["MoCore"], swiftSettings: hot),
    .target(name: "MoDSP", dependencies: ["MoDSPCore", "MoCore", "CMoKernels"], swiftSettings: hot),
    .target(name: "MoOSC", dependencies: ["CLiblo"], swiftSettings: cold),
    .target(
      name: "MoAudioEngine", dependencies: ["MoRuntime", "MoDSPCore", "MoCore", "CMoSystem"],
      swiftSettings: hot),
    .target(
      name: "MoAudioDevices",
      dependencies: ["MoAudioEngine", "MoRuntime", "MoDSPCore", "MoCore", "CALSA", "CMoSystem"],
      swiftSettings: cold),
    .target(
      name: "MoNetwork", dependencies: ["MoRuntime", "MoOSC", "MoCore", "CMoSystem"], swiftSettings: cold),
    .target(
      name: "MoSensing",
      dependencies: ["MoNetwork", "MoRuntime", "MoDSPCore", "MoOSC", "MoCore", "CEvdev", "CMoSystem"],
      swiftSettings: cold),
    .target(
      name: "MoRig", dependencies: ["MIDICore", "MoSensing", "MoNetwork", "MoRuntime", "MoOSC", "MoCore"],
      swiftSettings: hot),
    .target(
      name: "MoMu",
      dependencies: [
        "MoDSP", "MoSensing", "MoNetwork", "MoAudioDevices", "MoAudioEngine", "MoRuntime", "MoDSPCore",
        "MoOSC", "MoCore", "CMoSystem",
      ], swiftSettings: cold),
    .target(
      name: "MoInstruments",
      dependencies: [
        "MoMIDI", "MIDICore", "MoMu", "MoDSP", "MoOSC", "MoCore", "CMoSystem", "CMoKernels",
      ],
      swiftSettings: hot),
    // Both are empty without the trait.
    .target(
      name: "CMoSTK", cxxSettings: [.define("MOMU_STK", .when(traits: ["STK"]))],
      linkerSettings: [.linkedLibrary("stk", .when(traits: ["STK"]))]),
    .target(name: "MoSTK", dependencies: ["MoInstruments", "CMoSTK"], swiftSettings: hot),
    // Messages, files, clock and the network's protocol: no ALSA, no sockets.
    .target(name: "MIDICore", dependencies: ["MoCore"], swiftSettings: hot),
    // MIDI's devices, files and tapes.
    .target(
      name: "MoMIDI", dependencies: ["MIDICore", "MoMu", "MoOSC", "MoCore", "CALSA", "CMoSystem"],
      swiftSettings: hot),
    // The session's protocol: no sockets, no clocks.
    .target(name: "MoSessionCore", dependencies: ["MoCore", "MoOSC"], swiftSettings: hot),
    // For `momu simulate` and tests only.
    .target(
      name: "MoSessionSimulation", dependencies: ["MoSessionCore", "MoCore"], swiftSettings: hot),
    .target(
      name: "MoOrchestra", dependencies: ["MoSessionCore", "MoInstruments", "MoMu", "MoCore", "CMoSystem"],
      swiftSettings: hot),
    // The screens of programs in the terminal.
    .target(
      name: "MoConsole", dependencies: ["MoOrchestra", "MoInstruments", "MoCore"], swiftSettings: hot),
    .target(
      name: "MoTesting", dependencies: ["MoInstruments", "MoMu", "MoAudioEngine", "MoDSP", "MoCore"],
      swiftSettings: swift),
    .target(
      name: "MoMuTool",
      dependencies: [
        "MoMu", "MoConsole", "MoInstruments", "MoOrchestra", "MoSessionCore", "MoSessionSimulation",
        "MoRig", "MoSensing", "MoMIDI", "MIDICore", "MoRuntime", "MoOSC", "MoCore", "CMoSystem",
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
      name: "RealTimeOffender",
      dependencies: ["MoMu", "MoDSP", "MoAudioEngine", "MoInstruments", "MoMIDI", "MIDICore", "MoCore"],
      path: "Tests/RealTimeOffender",
      swiftSettings: swift,
      linkerSettings: watched),
    .executableTarget(
      name: "momu-fuzz",
      dependencies: ["MoMu", "MoInstruments", "MoOrchestra", "MoSessionCore", "MIDICore", "MoCore"],
      path: "Tests/Fuzz/Program", swiftSettings: swift),
    .executableTarget(
      name: "NetPeer", dependencies: ["MoMu"], path: "Tests/NetPeer", swiftSettings: swift),
    .testTarget(
      name: "RealTimeTests", dependencies: ["MoMu", "MoTesting", "RealTimeOffender"], swiftSettings: swift),
    .executableTarget(
      name: "momu-bench", dependencies: ["MoMu", "MoDSP", "MoAudioEngine", "MoInstruments", "CMoSystem"],
      path: "Tests/Bench/Program",
      swiftSettings: swift),
    .executableTarget(
      name: "momu-listen", dependencies: ["MoInstruments", "MoDSP", "MoCore"],
      path: "Tests/Listen/Program",
      swiftSettings: swift),
    .executableTarget(
      name: "SoundProbe", dependencies: ["MoInstruments", "MoMu", "MoCore"],
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
        "TiltToMIDI", "TiltToOSC",
        "TouchTheremin",
      ],
      exclude: ["Outside"],
      swiftSettings: tests),
    .testTarget(
      name: "MoMuToolTests",
      dependencies: [
        "MoMu", "MoMuTool", "MoConsole", "MoOrchestra", "MoSessionCore", "MoSessionSimulation",
        "MoInstruments", "MoRuntime", "MoAudioEngine", "MoMIDI", "MIDICore", "MoRig", "MoOSC", "MoCore",
        "MoTesting", "momu",
      ],
      exclude: ["Doctor/Recorded", "Session/Outside"],
      swiftSettings: tests),
    .testTarget(
      name: "MoConsoleTests",
      dependencies: [
        "MoConsole", "MoOrchestra", "MoInstruments", "MoSessionCore", "MoSessionSimulation", "MoMu",
        "MoRuntime", "MoCore", "MoTesting",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "MoOrchestraTests",
      dependencies: [
        "MoOrchestra", "MoInstruments", "MoSessionCore", "MoSessionSimulation", "MoMu", "MoDSP", "MoOSC",
        "MoRuntime", "MoCore", "MoTesting",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "MoSensingTests",
      dependencies: [
        "MoSensing", "MoNetwork", "MoRuntime", "MoDSPCore", "MoOSC", "MoCore", "MoMu", "MoTesting", "CEvdev",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "MoRigTests",
      dependencies: [
        "MoRig", "MIDICore", "MoSensing", "MoNetwork", "MoRuntime", "MoOSC", "MoCore", "MoTesting",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "MoCoreTests", dependencies: ["MoCore", "MoMu", "MoRuntime", "MoSessionCore", "MoTesting"],
      swiftSettings: tests),
    .testTarget(
      name: "MoRuntimeTests", dependencies: ["MoRuntime", "MoCore", "MoMu", "MoTesting"],
      swiftSettings: tests),
    .testTarget(
      name: "MoNetworkTests",
      dependencies: ["MoNetwork", "MoRuntime", "MoOSC", "MoCore", "MoMu", "MoTesting"],
      swiftSettings: tests),
    .testTarget(
      name: "MoSessionCoreTests",
      dependencies: ["MoSessionCore", "MoSessionSimulation", "MIDICore", "MoOSC", "MoCore"],
      swiftSettings: tests),
    .testTarget(name: "MoDSPCoreTests", dependencies: ["MoDSPCore", "MoCore"], swiftSettings: swift),
    .testTarget(
      name: "MoDSPTests", dependencies: ["MoDSP", "MoDSPCore", "MoCore", "MoTesting"], exclude: ["Outside"],
      swiftSettings: swift),
    .testTarget(
      name: "MoInstrumentsTests",
      dependencies: [
        "MoInstruments", "MoConsole", "MoMIDI", "MIDICore", "MoDSP", "MoOSC", "MoRuntime", "MoTesting",
        "MoCore", "CMoKernels",
      ],
      swiftSettings: swift),
    .testTarget(
      name: "MoSTKTests", dependencies: ["MoSTK", "CMoSTK", "MoInstruments", "MoDSP", "MoTesting"],
      swiftSettings: swift),
    .testTarget(
      name: "MIDICoreTests", dependencies: ["MIDICore", "MoCore"], exclude: ["Outside"],
      swiftSettings: tests),
    .testTarget(
      name: "MoMIDITests", dependencies: ["MoMIDI", "MIDICore", "MoMu", "MoOSC", "MoRuntime", "MoCore"],
      swiftSettings: tests),
    .testTarget(name: "MoOSCTests", dependencies: ["MoOSC"], swiftSettings: tests),
    .testTarget(
      name: "MoAudioEngineTests",
      dependencies: ["MoAudioEngine", "MoRuntime", "MoDSP", "MoDSPCore", "MoCore", "MoTesting"],
      exclude: ["Files/Outside"],
      swiftSettings: swift),
    .testTarget(
      name: "MoAudioDevicesTests",
      dependencies: [
        "MoAudioDevices", "MoAudioEngine", "MoRuntime", "MoDSPCore", "MoCore", "CALSA", "MoTesting",
      ],
      swiftSettings: swift),
  ]
    + examples.map {
      .executableTarget(
        name: $0, dependencies: [.init(stringLiteral: imports[$0] ?? "MoMu")], path: "Examples/\($0)",
        swiftSettings: swift, linkerSettings: watched)
    }
    + [
      .executableTarget(
        name: "vm-guest", dependencies: ["MoMu", "MoMIDI", "CALSA", "CEvdev"], path: "Tests/VM/Guest",
        swiftSettings: swift)
    ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// SwiftPM compiles a target again if a module that the target names has changed. But the memory layout of a value may
// come from a module below that: then the old code would use the old layout, and crash. So each target, and each
// library, names all Swift modules below it.
let named = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0.dependencies) })

/// Returns the names of the targets on which some dependencies depend without a condition.
func below(_ dependencies: [Target.Dependency]) -> Set<String> {
  var found: Set<String> = []
  var open = dependencies
  while let next = open.popLast() {
    guard case .byNameItem(let name, condition: nil) = next, let list = named[name],
      found.insert(name).inserted
    else { continue }
    open += list
  }
  return found
}

for target in package.targets where target.type != .system && target.type != .plugin {
  let known = below(target.dependencies).subtracting(
    target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } })
  target.dependencies += known.sorted().map { .byName(name: $0) }
}
package.products = package.products.map { product in
  guard let library = product as? Product.Library else { return product }
  let all = below(library.targets.map { .byName(name: $0) }).subtracting(library.targets)
  return .library(
    name: library.name, type: library.type,
    targets: library.targets + all.filter { $0.hasPrefix("Mo") || $0 == "MIDICore" }.sorted())
}
