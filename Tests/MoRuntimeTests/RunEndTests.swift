import MoRuntime
import Synchronization
import Testing

@Suite("The end of a run")
struct RunEndTests {
  private final class Server: Sendable {}

  @Test("stops a server once, however often it was started, and skips a server that no longer exists")
  func once() throws {
    let run = try Run(RunOptions(arguments: []))
    let said = Mutex<[String]>([])
    let server = Server()
    var gone: Server? = Server()
    if let gone { run.atEnd(of: gone) { _ in said.withLock { $0.append("gone") } } }
    gone = nil
    for _ in 0..<3 { run.atEnd(of: server) { _ in said.withLock { $0.append("server") } } }
    run.atEnd { said.withLock { $0.append("program") } }
    run.atEnd(of: server) { _ in said.withLock { $0.append("server, again") } }
    run.end()
    run.end()
    #expect(said.withLock { $0 } == ["server, again", "program"])
    withExtendedLifetime(server) {}
  }
}
