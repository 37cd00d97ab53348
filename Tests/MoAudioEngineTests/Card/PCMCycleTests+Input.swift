import Glibc
import MoAudioEngine
import Testing

/// Input of the cycle: in step with output, from another card, or without output.
extension PCMCycleTests {
  @Test("reads input in step with output, and a mono microphone into both channels")
  func input() {
    let capture = ScriptedPCM("in", channels: 1)
    let cycle = cycle(ScriptedPCM("out", channels: 2), capture, channels: 2)
    _ = cycle.start()
    capture.toRead = (0..<16).map { Int16($0 * 2048) }
    capture.results = [10, -Int(EAGAIN), 6]
    #expect(cycle.wait().isReady)
    #expect(read(cycle) == (0..<16).flatMap { [Float($0) / 16, Float($0) / 16] })
  }

  @Test("restarts both directions when one overruns")
  func overrun() {
    let capture = ScriptedPCM("in", callLog: callLog)
    let cycle = cycle(ScriptedPCM("out", callLog: callLog), capture)
    _ = cycle.start()
    #expect(cycle.wait().isReady)
    capture.results = [-Int(EPIPE)]
    #expect(read(cycle) == nil)
    callLog.lines = []
    #expect(cycle.wait().isRecovered)
    #expect(callLog.lines == ["drop out", "drop in", "prepare out", "prepare in", "start out"])
  }

  @Test("plays on while input on another card overruns")
  func otherCardOverrun() {
    let capture = ScriptedPCM("in", callLog: callLog)
    let cycle = cycle(ScriptedPCM("out", callLog: callLog), capture, inStep: false, linked: false)
    _ = cycle.start()
    callLog.lines = []
    capture.statuses = [PCMStatus(state: .xrun)]
    #expect(cycle.wait().isReady)
    #expect(read(cycle) != nil)
    #expect(write(cycle, 0))
    #expect(callLog.lines == ["drop in", "prepare in", "start in"])
    #expect(cycle.wait().isReady)
  }

  @Test(
    "pauses the restarts of input on another card that fails again and again, and waits for output meanwhile")
  func otherCardFails() {
    let playback = ScriptedPCM("out", callLog: callLog)
    let capture = ScriptedPCM("in", callLog: callLog)
    let cycle = cycle(playback, capture, inStep: false, linked: false)
    _ = cycle.start()
    callLog.lines = []
    capture.usual = PCMStatus(state: .xrun)
    playback.events = [Int32](repeating: 0, count: 5000)
    var starts: Int { callLog.lines.filter { $0 == "start in" }.count }
    // The clock stands still, so the output does not count as stalled.
    for _ in 0..<5000 { #expect(cycle.wait().isWaiting) }
    #expect(starts == 8)
    #expect(cycle.inputClock?.isFailing == true)
    playback.events = []
    for attempt in 1...3 {
      clock.advance(by: .milliseconds(99))
      #expect(cycle.wait().isReady)
      #expect(starts == 8 + attempt - 1)
      clock.advance(by: .milliseconds(1))
      #expect(cycle.wait().isReady)
      #expect(starts == 8 + attempt)
    }
    // The last restart works: there are frames.
    clock.advance(by: .milliseconds(100))
    capture.usual = PCMStatus(available: 64)
    #expect(cycle.wait().isReady)
    #expect(cycle.inputClock?.isFailing == false)
  }

  @Test("plays on while input on another card cannot be started again, until that card is unplugged")
  func otherCardCannotStart() {
    let capture = ScriptedPCM("in", callLog: callLog)
    let cycle = cycle(ScriptedPCM("out", callLog: callLog), capture, inStep: false, linked: false)
    _ = cycle.start()
    callLog.lines = []
    capture.statuses = [PCMStatus(state: .xrun)]
    capture.prepareResults = [Int32](repeating: -EIO, count: 30)
    for _ in 0..<40 {
      #expect(cycle.wait().isReady)
      #expect(read(cycle) != nil)
      #expect(write(cycle, 0))
      clock.advance(by: .milliseconds(50))
    }
    #expect(callLog.lines == ["drop in"] + [String](repeating: "prepare in", count: 20))
    #expect(cycle.inputClock?.isFailing == true)
    capture.prepareResults = []
    #expect(cycle.wait().isReady)
    #expect(callLog.lines.last == "start in")
    #expect(cycle.inputClock?.isFailing == false)
    capture.statuses = [PCMStatus(state: .xrun)]
    capture.prepareResults = [-ENODEV]
    #expect(cycle.wait().isLost)
  }

  @Test("waits for a suspended card while it wakes, although the pause of a failing input ends meanwhile")
  func suspendInPause() {
    let playback = ScriptedPCM("out", callLog: callLog)
    let capture = ScriptedPCM("in", callLog: callLog)
    let cycle = cycle(playback, capture, inStep: false, linked: false)
    _ = cycle.start()
    capture.usual = PCMStatus(state: .xrun)
    for _ in 0..<9 { #expect(cycle.wait().isReady) }
    #expect(cycle.inputClock?.isFailing == true)
    playback.results = [-Int(ESTRPIPE)]
    #expect(!write(cycle, 0))
    clock.advance(by: .milliseconds(100))
    callLog.lines = []
    capture.prepareResults = [-EIO]
    playback.resumeResults = [-EAGAIN, 0]
    #expect(cycle.wait().isWaiting)
    #expect(callLog.lines == ["resume out"])
    capture.prepareResults = []
    #expect(cycle.wait().isRecovered)
  }

  @Test("accepts the empty output of a card that only records, unless its input failed")
  func onlyRecords() {
    let capture = ScriptedPCM("in")
    let cycle = cycle(nil, capture)
    _ = cycle.start()
    #expect(cycle.wait().isReady)
    #expect(read(cycle) != nil)
    #expect(write(cycle, 0))
    #expect(cycle.wait().isReady)
    capture.results = [-Int(EPIPE)]
    #expect(read(cycle) == nil)
    #expect(!write(cycle, 0))
    #expect(cycle.wait().isRecovered)
  }
}
