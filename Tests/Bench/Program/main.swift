// momu-bench: what can only be measured inside a program of MoMu's, written as a user would.
//
//   momu-bench blocks FRAMES BLOCKS   nanoseconds a block
//   momu-bench first                  host time of the first block, in nanoseconds
//   momu-bench receive PORT COUNT     how many came, in how many nanoseconds, with how much processor time
//   momu-bench send PORT COUNT RATE   so many a second, 0: as fast as it can
//   momu-bench answer PORT            sends every message back
//   momu-bench dispatch ADDRESSES N   nanoseconds from a message's bytes to its callback
//   momu-bench fft SIZE               nanoseconds a transform of real samples
//   momu-bench biquad|onepole BLOCKS  nanoseconds a sample of a filter
//   momu-bench voice-string|voice-bar|voice-shaker BATCHES   nanoseconds a sample of a voice that sounds
//   momu-bench second-clock FRAMES BLOCKS   nanoseconds a block of stereo input whose card has another clock
//   momu-bench piano NOTES SECONDS    percent of a core, with so many notes sounding
//   momu-bench week                   KiB resident after a day of messages in counted time, and after seven
//   momu-bench delay FRAMES           every reading's way to the ear, in nanoseconds
//
// MoMu's own options follow: --audio, --accel, --seconds, --offline.
import Glibc
import MoMu

let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.dropFirst().prefix { !$0.hasPrefix("-") }.compactMap { Int($0) }
let options = ["momu-bench"] + arguments.drop { !$0.hasPrefix("-") }

switch (arguments.first, numbers.count) {
case ("blocks", 2): measureBlocks(frames: numbers[0], blocks: numbers[1])
case ("first", 0): measureFirstBlock()
case ("receive", 2): measureReceiving(port: numbers[0], count: numbers[1])
case ("send", 3): measureSending(port: numbers[0], count: numbers[1], perSecond: numbers[2])
case ("answer", 1): measureAnswering(port: numbers[0])
case ("dispatch", 2): measureDispatch(addresses: numbers[0], count: numbers[1])
case ("biquad", 1), ("onepole", 1): measureFilter(arguments[0], blocks: numbers[0])
case ("voice-string", 1), ("voice-bar", 1), ("voice-shaker", 1):
  measureVoice(String(arguments[0].dropFirst(6)), batches: numbers[0])
case ("fft", 1): try measureTransform(size: numbers[0])
case ("second-clock", 2): measureSecondClock(frames: numbers[0], blocks: numbers[1])
case ("piano", 2): try measurePiano(notes: numbers[0], seconds: numbers[1])
case ("week", 0): measureWeek()
case ("delay", 1): measureDelay(frames: numbers[0], isOffline: options.contains("--offline"))
default:
  print(
    "usage: momu-bench blocks FRAMES BLOCKS | first | delay FRAMES | receive … | send … | answer … | dispatch … | fft SIZE | biquad … | onepole … | voice-… | second-clock FRAMES BLOCKS | piano NOTES SECONDS | week  [--audio DEVICE ...]"
  )
  exit(2)
}

/// Waits for the audio thread to have done something, without disturbing it.
func wait(until isDone: () -> Bool) {
  let clock = SystemClock()
  while !isDone() { clock.sleep(until: clock.now.advanced(bySeconds: 0.01)) }
}
