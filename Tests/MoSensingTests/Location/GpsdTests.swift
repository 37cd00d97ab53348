import Glibc
import MoCore
import MoSensing
import Testing

@Suite("A real gpsd with data from gpsfake")
struct GpsdTests {
  /// The port of gpsd, as set by `Tests/Long/gpsd`.
  ///
  /// Its receiver walks, with a fix a second, and is in a tunnel for the last five of fifty seconds. gpsd ends and
  /// restarts again and again, and the walk with it.
  private static let port = getenv("MOMU_GPSD").map { String(cString: $0) }

  private enum News: Sendable {
    case move(Fix, from: Fix)
    case lost(reason: String)
  }

  /// Returns the fixes between gpsd's ends.
  private func walks(_ news: [News]) -> [[Fix]] {
    var walks: [[Fix]] = [[]]
    for item in news {
      switch item {
      case .move(let fix, _): walks[walks.count - 1].append(fix)
      case .lost: walks.append([])
      }
    }
    return walks
  }

  @Test(
    "delivers place, speed, course, time and accuracy of a walk; no fix in a tunnel; continues when gpsd is back",
    .enabled(if: port != nil, "Tests/Long/gpsd runs it"))
  func walk() throws {
    let place = "127.0.0.1:\(try #require(Self.port))"
    let heard = Collected<News>()
    MoLocation.onEvent { event in
      if case .lost(_, let reason) = event { heard.add(.lost(reason: reason)) }
    }
    try MoLocation.start(source: "gpsd:\(place)")
    defer { MoLocation.stop() }
    try MoLocation.onMove { fix, previous in heard.add(.move(fix, from: previous)) }
    // Sixty fixes contain a tunnel; the first walk may have begun before the test listened.
    var looks = 0
    while walks(heard.all).filter({ $0.count > 60 }).count < 2, looks < 1200 {
      usleep(100_000)
      looks += 1
    }
    let news = heard.all

    let whole = walks(news).filter { $0.count > 60 }
    try #require(whole.count >= 2, "\(walks(news).map(\.count))")
    for walk in walks(news) { judge(walk) }
    var before: Fix?
    for item in news {
      switch item {
      case .move(let fix, let previous):
        if let before { #expect(previous == before) }
        before = fix
      case .lost(let reason):
        #expect(reason.hasPrefix("no gpsd at \(place) (") && reason.hasSuffix("sudo apt install gpsd"))
      }
    }
  }

  private func judge(_ walk: [Fix]) {
    // gpsd sends its first reports before it has received all sentences of a second.
    let known = walk.filter { $0.utc.isFinite }
    #expect(known.count >= walk.count - 6, "\(known.count) of \(walk.count)")
    let exact = known.filter { $0.accuracy != nil && $0.verticalAccuracy != nil && $0.altitude == 171 }
    #expect(exact.count >= known.count - 6, "\(exact.count) of \(known.count)")
    var last: (second: Int, fix: Fix)?
    for fix in known {
      // 2026-11-21T10:00:00Z is this number of seconds since 1970, by `date -u -d … +%s`.
      let second = Int((fix.utc - 1_795_255_200).rounded())
      #expect((0..<3000).contains(second) && second % 50 < 45, "\(fix)")
      #expect(abs(fix.latitude - (48.2 + Double(second) * 1e-4)) < 2e-7, "\(fix)")
      #expect(abs(fix.longitude - (16.35 + Double(second) * 2e-4)) < 2e-7, "\(fix)")
      // 12 knots; gpsd writes three decimals.
      #expect(fix.speed.map { abs($0 - 12 * 1852 / 3600) < 0.001 } ?? false, "\(fix)")
      #expect(fix.course == 45, "\(fix)")
      if let accuracy = fix.accuracy { #expect((1...100).contains(accuracy)) }
      if let span = fix.verticalAccuracy { #expect((1...200).contains(span)) }
      if let last {
        #expect(second >= last.second, "one that was before comes again")
        #expect(fix.time >= last.fix.time)
        // 11.12 m to the north and 14.82 m to the east.
        if second == last.second + 1 { #expect(abs(fix.metres(to: last.fix) - 18.53) < 0.05) }
      }
      last = (second, fix)
    }
  }
}
