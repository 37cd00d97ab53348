/// How large a burst the kernel keeps until the program has time.
func bufferFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "buffer"
  guard let limit = s.receiveBufferLimit else { return [] }
  // Linux's own default, 212,992 bytes, was measured to hold 512 small messages where a program asks for all of
  // it (the kernel doubles what is asked for, and counts each with its bookkeeping), and 256 where it does not ask.
  let wanted = 4_194_304
  guard limit < 1_048_576 else {
    let drops = s.bufferDrops ?? 0
    guard drops > 0 else { return [.ok(topic, "the kernel may keep \(limit) bytes for a program to read")] }
    return [
      .note(
        topic, "the kernel may keep \(limit) bytes for a program to read, and has dropped \(drops) datagrams",
        why: "since this machine started, some program did not read in time",
        fix: "`ss -ulmp` names it: look for d above 0 in skmem")
    ]
  }
  return [
    .note(
      topic, "the kernel keeps at most \(limit) bytes for a program to read",
      why: "a burst of more than about \(limit / 416) small messages loses the rest"
        + ((s.bufferDrops ?? 0) > 0
          ? "; \(s.bufferDrops ?? 0) datagrams were, since this machine started" : ""),
      fix: "echo net.core.rmem_max=\(wanted) | sudo tee /etc/sysctl.d/60-momu.conf && sudo sysctl --system")
  ]
}
