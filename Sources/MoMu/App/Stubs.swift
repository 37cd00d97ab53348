import MoTime

// Stand-ins until the real ones land; delete the matching lines with them.
final class InputLoop: Sendable { init(clock: any TimeSource) {} }
