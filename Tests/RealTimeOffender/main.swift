// A program whose audio callback does what it may not. The real-time check must catch it.
//
//   RealTimeOffender stop NAME      one callback under --check-realtime; ends with status 1 if it is caught
//   RealTimeOffender count NAME N   N callbacks, then the counts
import Glibc
import MoMu

/// One block, as the audio loop would call it.
@inline(never)
func callback(_ body: () -> Void) {
  RealTimeCheck.enter()
  body()
  RealTimeCheck.leave()
}

/// Runs on a stack as small as the audio thread's.
func onAudioThread(_ body: @escaping @Sendable () -> Void) throws {
  try MoThread(name: "mo-audio", stackBytes: 64 * 1024) { _ in body() }.join()
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let offence = offences[arguments[2]] else {
  print("usage: RealTimeOffender stop|count NAME [N]\n\(offences.keys.sorted().joined(separator: "\n"))")
  exit(2)
}
let times = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
let mode: RealTimeCheck.Mode = arguments[1] == "count" ? .count : .stop

// A global is made at its first use, and instruments are made by the program, which has more stack.
keep(held.phase)
withExtendedLifetime(heldInstruments) {}
try onAudioThread {
  if offence.isWarmedUp { offence.body() }
  RealTimeCheck.install(mode)
  for _ in 0..<times { callback(offence.body) }
}
if mode == .count { print(RealTimeCheck.counts) }
print(RealTimeCheck.coverage)
