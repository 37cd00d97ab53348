import MoCore
import MoRuntime
import Testing

@Suite("Messages and pictures over months")
struct LogTests {
  @Test(
    "a hundred thousand messages and pictures use no more stack than the first"
  )
  func stack() throws {
    let run = Run(RunOptions())
    run.picture.withLock { $0.draw = { _ in [ScreenBlock([ScreenLine("a line")], priority: 0)] } }
    let drawn = Locked("")
    let thread = try MoThread(name: "logger") { _ in
      for _ in 0..<100_000 {
        _ = MoLog.handler
        _ = run.picture.withLock { $0 }.draw
      }
      MoLog.log(.debug, "the last")
      let text = ScreenBlock.rows(run.picture.withLock { $0 }.draw?(80) ?? [], 9).lines.map(\.text).joined()
      drawn.withLock { $0 = text }
    }
    thread.join()
    #expect(drawn.withLock { $0 } == "a line")
  }
}
