/// Checks how large a burst of datagrams the kernel can buffer until a program reads them.
func bufferFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "buffer"
  guard let limit = s.receiveBufferLimit else { return [] }
  // Measured: Linux's default of 212,992 bytes holds 512 small messages if a program requests all of it, since the
  // kernel doubles the request and counts its bookkeeping for each message. Otherwise it holds 256.
  let wanted = 4_194_304
  guard limit < 1_048_576 else {
    let drops = s.bufferDrops ?? 0
    guard drops > 0 else { return [.ok(topic, "the kernel buffers up to \(limit) bytes for a program")] }
    return [
      .note(
        topic, "the kernel buffers up to \(limit) bytes for a program, but has dropped \(drops) datagrams",
        why: "since this machine started, a program did not read in time",
        fix: "`ss -ulmp` shows the program: look for d above 0 in skmem")
    ]
  }
  return [
    .note(
      topic, "the kernel buffers only \(limit) bytes for a program",
      why: "of a burst of more than about \(limit / 416) small messages, the rest is lost"
        + ((s.bufferDrops ?? 0) > 0
          ? "; since this machine started, \(s.bufferDrops ?? 0) datagrams were lost" : ""),
      fix: "echo net.core.rmem_max=\(wanted) | sudo tee /etc/sysctl.d/60-momu.conf && sudo sysctl --system")
  ]
}
