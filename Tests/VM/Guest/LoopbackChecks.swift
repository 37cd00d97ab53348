import CALSA

/// The cable itself: what this harness plays comes back bit by bit, so that a flaw found with MoAudio in
/// the middle is MoAudio's.
func checkLoopback(_ report: Report) throws {
  try checkCable(report, "S16", SND_PCM_FORMAT_S16_LE, Int16.self, from: 0, to: 1)
  try checkCable(report, "S32", SND_PCM_FORMAT_S32_LE, Int32.self, from: 1, to: 0)

  let payload = Payload<Int16>(frames: 1000)
  var wrong = [Int16](repeating: 0, count: 64) + payload.samples
  report.check("an unharmed payload is recognised", payload.flaw(in: wrong) == nil)
  wrong[64 + 1500] ^= 1
  report.check("one wrong bit is noticed", payload.flaw(in: wrong) != nil)
  wrong.removeLast(200)
  report.check("a lost end is noticed", payload.flaw(in: wrong) != nil)
}

private func checkCable<Sample: FixedWidthInteger>(
  _ report: Report, _ name: String, _ format: snd_pcm_format_t, _: Sample.Type, from: Int, to: Int
) throws {
  let payload = Payload<Sample>(frames: 240_000)
  let out = try PCM<Sample>("hw:Loopback,\(from),0", SND_PCM_STREAM_PLAYBACK, format)
  let ears = try PCM<Sample>("hw:Loopback,\(to),0", SND_PCM_STREAM_CAPTURE, format)
  let heard = try LoopbackPeer(out: out, ears: ears).exchange(payload.samples)
  let flaw = payload.flaw(in: heard)
  report.check("\(name) is bit-exact from side \(from) to \(to), 5 s", flaw == nil, flaw ?? "")
  report.check("\(name) has no xrun", out.xruns + ears.xruns == 0, "\(out.xruns) + \(ears.xruns)")
}
