import Testing

/// A trait of suites that use a server of which a program has only one, such as `MoNet`: these suites run one after the
/// other.
package struct SingleServer: SuiteTrait, TestScoping {
  private let turns: Turns

  /// The suites that use the server of `MoNet`.
  package static let moNet = SingleServer(turns: Turns())

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    await turns.begin()
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    await turns.end()
    try result.get()
  }

  /// A lock that does not block a thread while a suite waits.
  private actor Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
      guard isTaken else {
        isTaken = true
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
      guard !waiting.isEmpty else {
        isTaken = false
        return
      }
      waiting.removeFirst().resume()
    }
  }
}
