import CALSA

/// The kernel's behaviour when a card is removed during playback, with which MoAudio must cope.
func checkUnplug(_ report: Report) throws {
  try checkUnplug(report, .dummy, device: "hw:Dummy,0")
  try checkUnplug(report, .loopback, device: "hw:Loopback,0,0")
}

private func checkUnplug(_ report: Report, _ driver: KernelDriver, device: String) throws {
  let silence = [Int32](repeating: 0, count: 2 * 256)
  report.check("\(driver.card) exists", driver.isPresent)
  var pulling: Background?
  do {
    let out = try PCM(device, SND_PCM_STREAM_PLAYBACK, .s16)
    for _ in 0..<100 { try out.play(silence[...]) }
    pulling = driver.unplug()
    do {
      for _ in 0..<1000 { try out.play(silence[...]) }
      report.check("unplugging \(driver.card) ends the playback", false, "1000 blocks were still played")
    } catch {
      report.check(
        "unplugging \(driver.card) ends the playback with ENODEV", "\(error)" == "play: No such device",
        "\(error)")
    }
    pause(0.1)
    report.check("the kernel keeps \(driver.card) while it is open", pulling?.isDone == false)
  }
  try pulling?.wait()
  report.check("\(driver.card) is gone after it is closed", !driver.isPresent)
  try driver.plug()
  report.check("\(driver.card) is back when it is plugged in", driver.isPresent)
  let out = try PCM(device, SND_PCM_STREAM_PLAYBACK, .s16)
  for _ in 0..<100 { try out.play(silence[...]) }
  report.check("\(driver.card) plays again", out.xruns == 0, "\(out.xruns) xruns")
}
