import CALSA

/// The sound cards that ALSA has now.
enum ALSADeviceList {
  /// Exactly what `--audio` takes, for every device that can play or record.
  static func names() -> [String] { devices().map(\.name) }

  /// Every card's devices, and `default` where there is any.
  static func devices() -> [NamedDevice] {
    let cards = eachCard { card, control, title -> [NamedDevice] in
      var devices: [NamedDevice] = []
      var device: Int32 = -1
      while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
        let plays = describe(control, device, SND_PCM_STREAM_PLAYBACK)
        let records = describe(control, device, SND_PCM_STREAM_CAPTURE)
        guard let what = plays ?? records else { continue }
        let ways = [plays.map { _ in "out" }, records.map { _ in "in" }].compactMap(\.self).joined(
          separator: ", ")
        devices.append(
          NamedDevice(
            name: "hw:CARD=\(card),DEV=\(device)", about: "\(title), \(what) (\(ways))", isReal: true))
      }
      return devices
    }.flatMap(\.self)
    guard !cards.isEmpty else { return [] }
    return [NamedDevice(name: "default", about: "the system's choice", isReal: true)] + cards
  }

  /// The card that `default` leads to without a sound server, as one word; nil where there is no card.
  ///
  /// ALSA's own rule: the first card, unless its configuration names another, which changes with the cards too.
  static func defaultCard() -> String? {
    eachCard { card, _, title in "\(card) \(title)" }.first
  }

  private static func describe(
    _ control: OpaquePointer?, _ device: Int32, _ direction: snd_pcm_stream_t
  ) -> String? {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_pcm_info_free(info) }
    snd_pcm_info_set_device(info, UInt32(device))
    snd_pcm_info_set_stream(info, direction)
    guard snd_ctl_pcm_info(control, info) == 0 else { return nil }
    return String(cString: snd_pcm_info_get_name(info))
  }

  private static func eachCard<Result>(_ body: (String, OpaquePointer?, String) -> Result) -> [Result] {
    momu_alsa_silence()
    var results: [Result] = []
    var card: Int32 = -1
    while snd_card_next(&card) == 0, card >= 0 {
      var control: OpaquePointer?
      guard snd_ctl_open(&control, "hw:\(card)", 0) == 0 else { continue }
      defer { snd_ctl_close(control) }
      var info: OpaquePointer?
      guard snd_ctl_card_info_malloc(&info) == 0, let info else { continue }
      defer { snd_ctl_card_info_free(info) }
      guard snd_ctl_card_info(control, info) == 0 else { continue }
      results.append(
        body(
          String(cString: snd_ctl_card_info_get_id(info)), control,
          String(cString: snd_ctl_card_info_get_name(info))))
    }
    return results
  }
}
