import CEvdev
import Glibc

/// The uinput player: a program that reads the device receives the played values, with the kernel's timestamps of the
/// time of playing.
func checkAccelerometer(_ report: Report) throws {
  var player: VirtualAccelerometer? = try VirtualAccelerometer()
  let path = player?.path ?? ""
  let reader = try EventReader(path)
  report.check(
    "is marked as an accelerometer",
    libevdev_has_property(reader.device, UInt32(INPUT_PROP_ACCELEROMETER)) == 1
  )
  let axis = libevdev_get_abs_info(reader.device, UInt32(ABS_Z))?.pointee
  report.check("has 8192 counts per g", axis?.resolution == 8192, "\(axis?.resolution ?? 0)")
  report.check("reaches 4 g either way", axis?.minimum == -32768 && axis?.maximum == 32768)

  let gesture = (0..<100).map { step in
    let step = Int32(step)
    return Sample(time: Double(step) * 0.01, x: 100 * step + 1, y: -50 * step - 1, z: 8192 - step)
  }
  let playing = Sending(player)
  let thread = Background { playing.value?.play(gesture) }
  var heard: [Sample] = []
  while heard.count < gesture.count, !thread.isDone {
    pause(0.002)
    heard += try reader.read()
  }
  try thread.wait()
  heard += try reader.read()
  let values = heard.map { [$0.x, $0.y, $0.z] }
  report.check(
    "every reading arrives as played", values == gesture.map { [$0.x, $0.y, $0.z] }, "\(heard.count) of 100")
  let late = zip(heard, gesture).map { $0.time - (heard[0].time + $1.time) }.map { abs($0) }.max() ?? 9
  report.check("the kernel's timestamps are those of the gesture within 1 ms", late < 0.001, "\(late) s")

  let last = Sample(x: 5, y: 6, z: 7)
  player?.flood(last: last)
  let after = try reader.read().last
  report.check("a flood gives SYN_DROPPED", reader.drops > 0, "\(reader.drops)")
  report.check(
    "the last state is right after a flood", after.map { [$0.x, $0.y, $0.z] } == [5, 6, 7],
    "\(String(describing: after))")

  playing.value = nil
  player = nil
  do {
    _ = try reader.read()
    report.check("an unplugged device is gone", false, "it can still be read")
  } catch {
    report.check("an unplugged device is gone", "\(error)" == "read: No such device", "\(error)")
  }
  report.check("the node of an unplugged device is gone", access(path, F_OK) != 0)
  let again = try VirtualAccelerometer()
  report.check("a device is back when it is plugged in again", access(again.path, R_OK) == 0)
}
