import Glibc
import MoCore
import MoOSC
import MoRuntime
import MoSensing
import Testing

@Suite("The location")
struct LocationTests {
  private func read(_ line: String) -> Fix? { GPSDReport(line.utf8)?.fix(at: HostTime(seconds: 5)) }

  // The example of gpsd_json(5).
  private let example =
    #"{"class":"TPV","device":"/dev/pts/1","time":"2005-06-08T10:34:48.283Z","ept":0.005,"lat":46.498293369,"lon":7.567411672,"alt":1343.127,"eph":36.000,"epv":32.321,"track":10.3788,"speed":0.091,"climb":-0.085,"mode":3}"#

  @Test("reads a report of gpsd")
  func report() throws {
    let fix = try #require(read(example))
    #expect(fix.latitude == 46.498293369 && fix.longitude == 7.567411672)
    #expect(fix.altitude == 1343.127 && fix.speed == 0.091 && fix.course == 10.3788)
    #expect(fix.accuracy == 36 && fix.verticalAccuracy == 32.321)
    // 2005-06-08T10:34:48Z, by `date -u -d … +%s`.
    #expect(abs(fix.utc - 1_118_226_888.283) < 1e-6)
    #expect(fix.time == HostTime(seconds: 5))
  }

  @Test("ignores reports without a fix, and survives any line")
  func noFix() {
    for line in [
      #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#,
      #"{"class":"TPV","device":"/dev/pts/1","mode":1}"#, #"{"class":"TPV","mode":0,"lat":1,"lon":2}"#,
      #"{"class":"TPV","mode":3,"lat":100,"lon":2}"#, #"{"class":"TPV","mode":3,"lon":2}"#,
      #"{"class":"SKY","satellites":[{"PRN":10,"el":45,"used":true},{"PRN":"}]\""}],"mode":3,"lat":1,"lon":2}"#,
      "", "{", "}", "{}", "null", #"{"class":"TPV""#, #"{"class":"TPV","mode":"#, #"{"class":"TPV","a":[[[}"#,
    ] { #expect(read(line) == nil, "\(line)") }
    for count in 0..<example.utf8.count { _ = read(String(example.prefix(count))) }
  }

  // The output of gpsd 3.22 for GPRMC, GPGGA, GPGSA and GPGSV sentences from gpsfake; the first before it knew the
  // time.
  private let written = [
    #"{"class":"TPV","device":"/dev/pts/4","mode":3,"lat":48.201300000,"lon":16.352600000,"altHAE":214.0000,"altMSL":171.0000,"alt":171.0000,"epv":34.500,"magvar":4.5,"geoidSep":43.000,"eph":17.100,"sep":34.200}"#,
    #"{"class":"TPV","device":"/dev/pts/1","mode":2,"time":"2026-11-21T10:00:03.000Z","ept":0.005,"lat":48.200300000,"lon":16.350600000,"track":45.0000,"magtrack":49.4604,"magvar":4.5,"speed":6.173}"#,
    #"{"class":"SKY","device":"/dev/pts/4","xdop":0.57,"ydop":0.67,"vdop":1.50,"hdop":0.90,"nSat":9,"uSat":9,"satellites":[{"PRN":2,"el":71.0,"az":310.0,"ss":44.0,"used":true,"gnssid":0,"svid":2}]}"#,
    #"{"class":"TPV","device":"/dev/pts/4","mode":3,"time":"2026-11-21T10:00:16.000Z","ept":0.005,"lat":48.201600000,"lon":16.353200000,"altHAE":214.0000,"altMSL":171.0000,"alt":171.0000,"epx":8.576,"epy":10.053,"epv":34.500,"track":45.0000,"magtrack":49.4610,"magvar":4.5,"speed":6.173,"climb":0.000,"epd":56.8704,"eps":20.11,"epc":69.00,"geoidSep":43.000,"eph":17.100,"sep":34.200}"#,
    #"{"class":"TPV","device":"/dev/pts/3","mode":1,"time":"2026-11-21T10:00:45.000Z","ept":0.005}"#,
  ]

  @Test("reads lines that a real gpsd wrote: an incomplete fix, a complete one, and none")
  func writtenLines() throws {
    let fixes = written.map { read($0) }
    let early = try #require(fixes[0])
    #expect(early.altitude == 171 && early.accuracy == 17.1 && early.verticalAccuracy == 34.5)
    #expect(early.utc.isNaN && early.speed == nil && early.course == nil)
    let flat = try #require(fixes[1])
    #expect(flat.latitude == 48.2003 && flat.altitude == nil && flat.accuracy == nil && flat.speed == 6.173)
    #expect(fixes[2] == nil)
    let whole = try #require(fixes[3])
    #expect(whole.latitude == 48.2016 && whole.longitude == 16.3532 && whole.altitude == 171)
    #expect(whole.speed == 6.173 && whole.course == 45 && whole.accuracy == 17.1)
    // 2026-11-21T10:00:16Z, by `date -u -d … +%s`.
    #expect(whole.verticalAccuracy == 34.5 && whole.utc == 1_795_255_216)
    #expect(fixes[4] == nil)
  }

  @Test("a two-dimensional fix has no altitude; nested values are skipped")
  func twoDimensions() throws {
    let fix = try #require(
      read(
        #"{ "class" : "TPV", "x":{"lat":9,"y":[1,{"lon":9}]}, "mode":2,"lat":-1.5,"lon":2e1,"alt":99,"epx":3,"epy":4}"#
      ))
    #expect(fix.latitude == -1.5 && fix.longitude == 20 && fix.altitude == nil && fix.accuracy == 5)
    #expect(fix.speed == nil && fix.course == nil)
  }

  @Test("computes the distance of places whose distance is known")
  func metres() {
    func place(_ latitude: Double, _ longitude: Double) -> Fix {
      Fix(time: .zero, latitude: latitude, longitude: longitude)
    }
    // A minute of arc along a meridian is a nautical mile, 1852 m; a quarter of the equator 10,008 km on the sphere.
    #expect(abs(place(0, 0).metres(to: place(1.0 / 60, 0)) - 1852) < 5)
    #expect(abs(place(0, 0).metres(to: place(0, 90)) - 10_007_557) < 1000)
    #expect(place(48, 16).metres(to: place(48, 16)) == 0)
  }

  @Test("a fix survives its OSC message, also with unknown values")
  func messages() {
    for fix in [
      Fix(time: .zero, latitude: 48.123456789, longitude: -16.5),
      Fix(
        time: .zero, latitude: 1, longitude: 2, altitude: 3, speed: 4, course: 5, accuracy: 6,
        verticalAccuracy: 7,
        utc: 1_800_000_000.25),
    ] { #expect(Fix(time: .zero, arguments: fix.arguments) == fix) }
    #expect(Fix(time: .zero, arguments: Fix.unknown.arguments) == nil)
  }

  @Test("sim:walk goes around its square at constant speed, and ends at its start")
  func walk() throws {
    let server = SensorServer<Fix>(.location)
    let heard = Collected<Fix>()
    server.callbacks.add { heard.add($0) }
    let run = offlineRun()
    try server.start(source: "sim:walk", in: run)
    play(run, seconds: 120)
    server.stop()
    let fixes = heard.all
    #expect(fixes.count == 121)
    for (fix, before) in zip(fixes.dropFirst(), fixes) {
      #expect(abs(fix.metres(to: before) - 400.0 / 120) < 1)
    }
    #expect(fixes[120].metres(to: fixes[0]) < 0.1)
    #expect(abs(fixes[30].metres(to: fixes[0]) - 100) < 0.5)
  }

  @Test(
    "accepts gpsd's address, or reports what is wrong with it",
    arguments: ["gpsd:", "gpsd:a:b:c", "gpsd:1.2.3.4:99999", "gpsd:studio.local"])
  func places(_ source: String) throws {
    let wrong = #expect(throws: SensorError.self) { try SensorKind<Fix>.location.check(source) }
    let error = try #require(wrong)
    #expect(error.description.contains("gpsd:"))
    // In real time the source is opened; the error is the same.
    let server = SensorServer<Fix>(.location)
    #expect(throws: error) { try server.start(source: source, in: Run(RunOptions())) }
    server.stop()
  }
}
