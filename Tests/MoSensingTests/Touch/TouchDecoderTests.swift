import CEvdev
import MoCore
import MoSensing
import Testing

/// Events as a driver sends them, in the notation of the kernel's Documentation/input/multi-touch-protocol.rst.
private struct Device {
  var decoder: TouchDecoder
  private var now: Int64 = 0

  init(_ surface: TouchSurface) { decoder = TouchDecoder(surface) }

  /// Handles pairs of code and value, and the SYN_REPORT after them, a millisecond later.
  mutating func report(_ events: (Int32, Int32)..., type: Int32 = EV_ABS) -> [Touch] {
    report(events.map { (type, $0.0, $0.1) })
  }

  mutating func report(_ events: [(Int32, Int32, Int32)]) -> [Touch] {
    now += 1
    let time = HostTime(nanoseconds: now * 1_000_000)
    for (type, code, value) in events {
      #expect(decoder.decode(EvdevDevice.Event(type: type, code: code, value: value, time: .zero)).isEmpty)
    }
    return decoder.decode(EvdevDevice.Event(type: EV_SYN, code: SYN_REPORT, value: 0, time: time))
  }
}

@Suite("Touch events")
struct TouchDecoderTests {
  /// 100 × 50 mm of 10 units each, ten slots.
  private let screen = TouchSurface(
    .slots(10), x: .init(0, 1000, resolution: 10), y: .init(0, 500, resolution: 10),
    pressure: .init(0, 255), size: .init(0, 1000))

  @Test("the documentation's example B: two fingers come down, one moves, each is lifted")
  func exampleB() {
    var device = Device(screen)
    let down = device.report(
      (ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, 45), (ABS_MT_POSITION_X, 250), (ABS_MT_POSITION_Y, 100),
      (ABS_MT_SLOT, 1), (ABS_MT_TRACKING_ID, 46), (ABS_MT_POSITION_X, 750), (ABS_MT_POSITION_Y, 400))
    #expect(down.map(\.phase) == [.began, .began])
    #expect(down.map(\.x) == [0.25, 0.75] && down.map(\.y) == [0.2, 0.8])
    #expect(down.map(\.millimetres) == [SIMD2(25, 10), SIMD2(75, 40)])
    #expect(down.map(\.hasMore) == [true, false])
    #expect(down.allSatisfy { $0.time == HostTime(nanoseconds: 1_000_000) })
    #expect(Set(down.map(\.id)).count == 2)

    let moved = device.report((ABS_MT_SLOT, 0), (ABS_MT_POSITION_X, 300))
    #expect(moved.map(\.phase) == [.moved])
    #expect(moved.first?.id == down[0].id && moved.first?.x == 0.3 && moved.first?.y == 0.2)

    let first = device.report((ABS_MT_TRACKING_ID, -1))
    #expect(first.map(\.phase) == [.ended] && first.first?.id == down[0].id && first.first?.x == 0.3)
    let second = device.report((ABS_MT_SLOT, 1), (ABS_MT_TRACKING_ID, -1))
    #expect(second.map(\.phase) == [.ended] && second.first?.id == down[1].id)
    #expect(device.report().isEmpty)
  }

  @Test("a tracking id that replaces another lifts one finger and puts another down")
  func replaced() {
    var device = Device(screen)
    let before = device.report((ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, 7), (ABS_MT_POSITION_X, 100))
    let change = device.report((ABS_MT_TRACKING_ID, 8), (ABS_MT_POSITION_X, 900))
    #expect(change.map(\.phase) == [.ended, .began])
    #expect(change.map(\.id) == [before[0].id, before[0].id + 1])
    #expect(change.map(\.x) == [0.1, 0.9])
  }

  @Test("reports a tap between two reports completely")
  func tap() {
    var device = Device(screen)
    let tap = device.report((ABS_MT_TRACKING_ID, 9), (ABS_MT_POSITION_X, 500), (ABS_MT_TRACKING_ID, -1))
    #expect(tap.map(\.phase) == [.began, .ended])
    #expect(Set(tap.map(\.id)).count == 1)
  }

  @Test(
    "after SYN_DROPPED, lifted fingers are lifted, new ones are down, and others have moved"
  )
  func resynchronised() {
    var device = Device(screen)
    let down = device.report(
      (ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, 1), (ABS_MT_SLOT, 1), (ABS_MT_TRACKING_ID, 2),
      (ABS_MT_SLOT, 2), (ABS_MT_TRACKING_ID, 3))
    // Slot 0 was lifted, slot 1 has another finger (first a lift, as libevdev reports it), slot 2 moved.
    let change = device.report(
      (ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, -1), (ABS_MT_SLOT, 1), (ABS_MT_TRACKING_ID, -1),
      (ABS_MT_TRACKING_ID, 12), (ABS_MT_POSITION_X, 600), (ABS_MT_SLOT, 2), (ABS_MT_POSITION_Y, 250))
    #expect(change.map(\.phase) == [.ended, .ended, .began, .moved])
    #expect(change.map(\.id) == [down[0].id, down[1].id, 4, down[2].id])
  }

  @Test("ten fingers have ten ids; an eleventh slot is ignored")
  func ten() {
    var device = Device(screen)
    let down = device.report(
      (0..<12).flatMap { slot in
        [
          (EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_TRACKING_ID, 100 + slot),
          (EV_ABS, ABS_MT_POSITION_X, slot),
        ]
      })
    #expect(Set(down.map(\.id)).count == 10 && down.count == 10)
    #expect(device.report((ABS_MT_SLOT, -1), (ABS_MT_TRACKING_ID, 5)).isEmpty)
  }

  @Test("pressure and size are shares of their ranges, clamped at 1")
  func pressure() {
    var device = Device(screen)
    let touch = device.report(
      (ABS_MT_TRACKING_ID, 1), (ABS_MT_PRESSURE, 51), (ABS_MT_TOUCH_MAJOR, 80), (ABS_MT_POSITION_X, 2000))[0]
    #expect(abs(touch.pressure - 0.2) < 1e-6 && touch.size == 0.08 && touch.x == 1)
  }

  @Test("without resolution there are no millimetres; without pressure, the pressure is 1")
  func bare() {
    var device = Device(TouchSurface(.slots(2), x: .init(-100, 100), y: .init(0, 1)))
    let touch = device.report((ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, 0))[0]
    #expect(touch.millimetres == nil && touch.pressure == 1 && touch.size == 0 && touch.x == 0.5)
  }

  @Test("an axis over the whole Int32 range works like any other")
  func longAxis() {
    for (least, most) in [(Int32(-1), Int32.max), (.min, .max), (.min, 0)] {
      let surface = TouchSurface(.slots(1), x: .init(least, most), y: .init(0, 1), size: .init(0, 100))
      var device = Device(surface)
      let middle = Int32((Int(least) + Int(most)) / 2)
      #expect(device.report((ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, least))[0].x == 0)
      #expect(abs(device.report((ABS_MT_POSITION_X, middle))[0].x - 0.5) < 1e-6)
      #expect(device.report((ABS_MT_POSITION_X, most))[0].x == 1)
    }
  }

  @Test(
    "on a screen rotated by a quarter, the top left appears at the top right",
    arguments: [
      (0, SIMD2<Float>(0.25, 0.2), SIMD2<Float>(25, 10)), (1, SIMD2(0.8, 0.25), SIMD2(40, 25)),
      (2, SIMD2(0.75, 0.8), SIMD2(75, 40)), (3, SIMD2(0.2, 0.75), SIMD2(10, 75)),
    ])
  func rotation(quarters: Int, place: SIMD2<Float>, millimetres: SIMD2<Float>) {
    var turned = screen
    turned.quarters = quarters
    var device = Device(turned)
    let touch = device.report((ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, 250), (ABS_MT_POSITION_Y, 100))[0]
    #expect(abs(touch.x - place.x) < 1e-6 && abs(touch.y - place.y) < 1e-6)
    let error = (touch.millimetres ?? .zero) - millimetres
    #expect((error * error).sum() < 1e-6)
  }

  @Test("a single contact comes and goes with BTN_TOUCH, and is ignored while it hovers")
  func single() {
    var device = Device(TouchSurface(.single, x: .init(0, 100), y: .init(0, 100), pressure: .init(0, 10)))
    #expect(device.report((ABS_X, 30), (ABS_Y, 40)).isEmpty)
    let down = device.report([(EV_KEY, BTN_TOUCH, 1), (EV_ABS, ABS_PRESSURE, 5)])
    #expect(down.map(\.phase) == [.began] && down[0].x == 0.3 && down[0].y == 0.4 && down[0].pressure == 0.5)
    #expect(device.report((ABS_X, 60)).map(\.phase) == [.moved])
    #expect(device.report((BTN_TOUCH, 0), type: EV_KEY).map(\.phase) == [.ended])
    #expect(device.report((BTN_TOUCH, 1), type: EV_KEY).first?.id == down[0].id + 1)
  }

  @Test("a mouse touches while its button is down, at its position within the surface")
  func mouse() {
    var device = Device(TouchSurface(mouseTurned: 0))
    #expect(device.report((REL_X, 100), (REL_Y, -200), type: EV_REL).isEmpty)
    let down = device.report((BTN_LEFT, 1), type: EV_KEY)
    #expect(down.map(\.phase) == [.began] && abs(down[0].x - 0.6) < 1e-6 && abs(down[0].y - 0.3) < 1e-6)
    #expect(device.report((REL_X, 5000), type: EV_REL).first?.x == 1)
    #expect(device.report((BTN_LEFT, 0), type: EV_KEY).map(\.phase) == [.ended])
  }

  @Test("finds fingers that were down before, and cancels those of a device that disappears")
  func foundAndLost() {
    var device = Device(screen)
    device.decoder.find(TouchContact(x: 500, y: 250), inSlot: 3)
    let found = device.report()
    #expect(found.map(\.phase) == [.began] && found[0].x == 0.5)
    let lost = device.decoder.cancel(at: HostTime(seconds: 9))
    #expect(lost.map(\.phase) == [.cancelled] && lost[0].id == found[0].id)
    #expect(device.decoder.cancel(at: HostTime(seconds: 9)).isEmpty)
  }
}
