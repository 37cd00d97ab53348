import Synchronization
import Testing

@testable import MoRuntime

@Suite("A run's end")
struct RunEndTests {
  private final class Server: Sendable {}

  @Test("a server that is started again and again is stopped once, in its place; one that is gone is not")
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
