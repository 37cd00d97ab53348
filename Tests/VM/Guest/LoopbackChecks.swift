import CALSA

/// The cable itself: the samples that this harness plays come back bit by bit.
///
/// So a fault that occurs only with MoAudio in the middle is a fault of MoAudio.
func checkLoopback(_ report: Report) throws {
  try checkCable(report, .s16, from: 0, to: 1)
  try checkCable(report, .s32, from: 1, to: 0)

  let payload = Payload(frames: 1000, format: .s16)
  let late = [Int32](repeating: 0, count: 64) + payload.samples
  report.check("an unharmed payload is recognised", payload.flaw(in: late) == nil)
  var wrong = late
  wrong[64 + 1500] ^= 1 << 16
  report.check("one wrong bit is detected", payload.flaw(in: wrong) != nil)
  report.check("a wrong bit below the compared bits is ignored", payload.flaw(in: wrong, bits: 15) == nil)
  report.check("a lost end is detected", payload.flaw(in: Array(late.dropLast(2))) != nil)
  report.check("silence is detected", payload.flaw(in: [Int32](repeating: 0, count: 64)) != nil)
}

private func checkCable(_ report: Report, _ format: SampleFormat, from: Int, to: Int) throws {
  let payload = Payload(frames: 240_000, format: format)
  let out = try PCM("hw:Loopback,\(from),0", SND_PCM_STREAM_PLAYBACK, format)
  let ears = try PCM("hw:Loopback,\(to),0", SND_PCM_STREAM_CAPTURE, format)
  let heard = try LoopbackPeer(out: out, ears: ears).exchange(payload.samples)
  let flaw = payload.flaw(in: heard)
  let name = format.rawValue
  report.check("\(name) is bit-exact from side \(from) to \(to), 5 s", flaw == nil, flaw ?? "")
  report.check("\(name) has no xrun", out.xruns + ears.xruns == 0, "\(out.xruns) + \(ears.xruns)")
}
