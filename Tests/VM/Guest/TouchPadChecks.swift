import CEvdev
import Glibc
import MoMu
import MoSensing
import Synchronization

/// MoTouch on a touch pad of a laptop: two fingers, their pressure, and a plug pulled while they touch it.
func checkTouchPad(_ report: Report) throws {
  func plugIn() throws -> VirtualInput {
    // 1200 by 800 units at 12 a millimetre: 100 by 66.7 mm.
    try VirtualInput(
      "Virtual touch pad", property: INPUT_PROP_POINTER,
      axes: [
        (ABS_X, 0, 1200, 12), (ABS_Y, 0, 800, 12), (ABS_PRESSURE, 0, 255, 0), (ABS_MT_SLOT, 0, 4, 0),
        (ABS_MT_TRACKING_ID, 0, 65_535, 0), (ABS_MT_POSITION_X, 0, 1200, 12), (ABS_MT_POSITION_Y, 0, 800, 12),
        (ABS_MT_PRESSURE, 0, 255, 0),
      ], keys: [BTN_LEFT, BTN_TOUCH, BTN_TOOL_FINGER, BTN_TOOL_DOUBLETAP])
  }
  func down(_ slot: Int32, _ id: Int32, _ x: Int32, _ y: Int32, _ pressure: Int32) -> [(Int32, Int32, Int32)]
  {
    [
      (EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_TRACKING_ID, id), (EV_ABS, ABS_MT_POSITION_X, x),
      (EV_ABS, ABS_MT_POSITION_Y, y), (EV_ABS, ABS_MT_PRESSURE, pressure),
    ]
  }
  let heard = Mutex<[Touch]>([])
  let token = try MoTouch.addCallback { change in heard.withLock { $0 += change.changed } }
  defer { token.cancel() }

  for round in ["a pad", "another, plugged in where one was pulled out with fingers on it,"] {
    let pad = Sending<VirtualInput?>(try plugIn())
    let path = pad.value?.path ?? ""
    try waitUntil("\(round) is used", report) { MoTouch.source == "evdev:\(path)" }
    heard.withLock { $0 = [] }
    pad.value?.send(down(0, 7, 600, 200, 51) + [(EV_KEY, BTN_TOUCH, 1), (EV_KEY, BTN_TOOL_FINGER, 1)])
    pad.value?.send(
      down(1, 8, 300, 400, 204) + [(EV_KEY, BTN_TOOL_FINGER, 0), (EV_KEY, BTN_TOOL_DOUBLETAP, 1)])
    try waitUntil("two fingers are down", report) { MoTouch.fingers.count == 2 }
    let fingers = MoTouch.fingers
    report.check(
      "two fingers have their positions, in fractions and mm",
      fingers.count == 2 && abs(fingers[0].x - 0.5) < 1e-3 && abs(fingers[0].y - 0.25) < 1e-3
        && abs((fingers[1].millimetres?.x ?? 0) - 25) < 0.1
        && abs((fingers[1].millimetres?.y ?? 0) - 33.33) < 0.1,
      "\(fingers)")
    report.check(
      "two fingers have their pressure",
      fingers.count == 2 && abs(fingers[0].pressure - 0.2) < 1e-3 && abs(fingers[1].pressure - 0.8) < 1e-3)
    MoTouch.attach("a string", to: fingers[1])
    // The first finger is lifted. The second keeps its identity, and the data attached to it.
    pad.value?.send(
      [(EV_ABS, ABS_MT_SLOT, 0), (EV_ABS, ABS_MT_TRACKING_ID, -1), (EV_KEY, BTN_TOOL_DOUBLETAP, 0)]
        + [(EV_KEY, BTN_TOOL_FINGER, 1)])
    pad.value?.send([(EV_ABS, ABS_MT_SLOT, 1), (EV_ABS, ABS_MT_POSITION_X, 900)])
    try waitUntil("one finger is lifted, and the other keeps its identity", report) {
      let left = MoTouch.fingers
      return left.count == 1 && left[0].id == fingers[1].id && abs(left[0].x - 0.75) < 1e-3
        && MoTouch.attached(to: left[0]) == "a string"
    }
    pad.value = nil
    try waitUntil("unplugging a pad ends its touch", report) {
      heard.withLock { $0.contains { $0.id == fingers[1].id && $0.phase == .cancelled } }
        && MoTouch.fingers.allSatisfy { $0.id != fingers[1].id }
    }
  }
  MoTouch.stop()
}
