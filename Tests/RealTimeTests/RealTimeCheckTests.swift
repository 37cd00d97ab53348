import MoMu
import MoTesting
import Testing

@Suite("The real-time check", .enabled(if: RealTimeCheck.isAvailable, "a sanitizer owns the calls"))
struct RealTimeCheckTests {
  static let caught: [(offence: String, call: String)] = [
    ("array", "malloc"), ("append", "malloc"), ("string", "malloc"), ("object", "malloc"),
    ("dictionary", "malloc"), ("realloc", "realloc"), ("aligned", "posix_memalign"), ("free", "free"),
    ("mutex", "pthread_mutex_lock"), ("momutex", "MoMutex.acquire"), ("notify", "SpinLock.acquire"),
    ("rwlock", "pthread_rwlock_rdlock"),
    ("condition", "pthread_cond_timedwait"), ("semaphore", "sem_wait"), ("sleep", "usleep"),
    ("yield", "sched_yield"), ("poll", "poll"),
    ("print", "malloc"), ("write", "write"), ("open", "open"), ("puts", "puts"),
    ("random", "getrandom"), ("thread", "pthread_create"),
  ]

  @Test("stops a bad callback, and names the call and the line that made it", arguments: caught)
  func stops(offence: String, call: String) throws {
    let run = ProgramRun("RealTimeOffender", "stop", offence)
    #expect(run.status == 1)
    let sentence = try #require(run.lines.first { $0.contains(" in the audio callback") })
    #expect(sentence.hasPrefix("\(call) was called in the audio callback: "))
    #expect(sentence.hasSuffix(", and the sound will crackle."))
    #expect(run.text.contains(/called from: .*RealTimeOffender\/Offences.swift:\d+, in closure/))
    #expect(run.text.contains(/\n  Instead: [a-z].*\.\n/))
  }

  @Test(
    "stops a system call outside its lists if the kernel can report it",
    arguments: ["system", "map"])
  func stopsSystemCalls(offence: String) {
    let run = ProgramRun("RealTimeOffender", "stop", offence)
    if run.text.contains("system calls made past it need Linux 5.11 on x86-64") { return }
    #expect(run.status == 1)
    #expect(run.text.contains("the system may take any length of time, and the sound will crackle."))
    #expect(run.text.contains(/called from: .*RealTimeOffender\/Offences.swift:\d+, in closure/))
  }

  @Test("prints the report of an array allocation word for word")
  func wording() {
    let lines = ProgramRun("RealTimeOffender", "stop", "array").lines
    #expect(
      lines.first
        == "malloc was called in the audio callback: it may wait for other programs, and the sound will crackle."
    )
    #expect(
      lines.last
        == "  Instead: make arrays, strings and objects before MoAudio.start, not inside the callback.")
  }

  @Test("a program that stops by itself prints its own reason")
  func fatalError() {
    let run = ProgramRun("RealTimeOffender", "stop", "fatal")
    #expect(run.text.contains("Fatal error: no drum at all"))
    #expect(!run.text.contains("audio callback"))
    #expect(run.status != 0 && run.status != 1)
  }

  @Test("a good callback runs to its end")
  func good() {
    let run = ProgramRun("RealTimeOffender", "stop", "good", "1000")
    #expect(run.status == 0)
    #expect(!run.text.contains("audio callback"))
  }

  @Test("Fourier transforms of all kinds have no violations")
  func transforms() {
    let run = ProgramRun("RealTimeOffender", "count", "transforms", "1000")
    #expect(
      run.lines.first
        == "1000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("input on a second clock, lost and found again, has no violations")
  func clocks() {
    let run = ProgramRun("RealTimeOffender", "count", "clocks", "10000")
    #expect(
      run.lines.first
        == "10000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("every unit of the signal kit has no violations")
  func units() {
    let run = ProgramRun("RealTimeOffender", "count", "units", "1000")
    #expect(
      run.lines.first
        == "1000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("playing, recording and receiving sound, and receiving motion, have no violations")
  func signals() {
    let run = ProgramRun("RealTimeOffender", "count", "signals", "20000")
    #expect(
      run.lines.first
        == "20000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("every instrument, played in every way, has no violations")
  func instruments() {
    let run = ProgramRun("RealTimeOffender", "count", "instruments", "2000")
    #expect(
      run.lines.first
        == "2000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("reading the latest value has no violations, although its module is not optimised")
  func reading() {
    let run = ProgramRun("RealTimeOffender", "count", "reading", "1000")
    #expect(
      run.lines.first
        == "1000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("a million MIDI messages in and as many notes out have no violations")
  func midi() {
    // Six messages in each turn.
    let run = ProgramRun("RealTimeOffender", "count", "midi", "170000")
    #expect(
      run.lines.first
        == "170000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("a million MIDI messages over a network that loses a tenth of the packets have no violations")
  func networkMIDI() {
    // Four messages in each turn.
    let run = ProgramRun("RealTimeOffender", "count", "network-midi", "250000")
    #expect(
      run.lines.first
        == "250000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("a million good callbacks have no violations")
  func million() {
    let run = ProgramRun("RealTimeOffender", "count", "good", "1000000")
    #expect(
      run.lines.first
        == "1000000 callbacks: 0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, 0 system calls")
  }

  @Test("continues to count after a callback that starts threads")
  func countsThreads() {
    let run = ProgramRun("RealTimeOffender", "count", "thread", "3")
    #expect(run.text.contains(/3 callbacks: .* 3 other calls/))
    #expect(run.status == 0)
  }

  @Test(
    "counts each violation as its own kind, once per callback",
    arguments: [
      ("array", "3 allocations, 3 releases, 0 locks, 0 waits, 0 other calls, "),
      ("mutex", "0 allocations, 0 releases, 3 locks, 0 waits, 0 other calls, "),
      ("sleep", "0 allocations, 0 releases, 0 locks, 3 waits, 0 other calls, "),
      ("write", "0 allocations, 0 releases, 0 locks, 0 waits, 3 other calls, "),
      ("system", "0 allocations, 0 releases, 0 locks, 0 waits, 0 other calls, "),
    ])
  func counts(offence: String, expected: String) {
    let run = ProgramRun("RealTimeOffender", "count", offence, "3")
    let line = run.lines.first { $0.contains(" callbacks: ") } ?? ""
    #expect(line.contains("3 callbacks: " + expected))
    let seesSystemCalls = run.text.contains("all system calls are checked")
    let makesThem = ["sleep", "write", "system"].contains(offence)
    #expect(line.contains(" \(seesSystemCalls && makesThem ? 3 : 0) system calls"))
    #expect(run.status == 0)
  }
}
