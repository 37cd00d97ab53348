import CALSA
import MoRuntime

/// The sound cards that ALSA has now.
package enum ALSADeviceList {
  /// Returns the names of all devices that can play or record, exactly as `--audio` accepts them.
  package static func names() -> [String] { devices().map(\.name) }

  /// Returns `default` and then the devices of every card; empty if there is no device.
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

  /// Returns the driver of a card, such as `USB-Audio`; nil if there is no such card.
  package static func driver(ofCard index: Int) -> String? {
    withCard(Int32(index)) { _, info in String(cString: snd_ctl_card_info_get_driver(info)) }
  }

  /// Returns a card's ID and name in a string such as `PCH HDA Intel PCH`; nil if there is no such card.
  static func card(_ index: Int) -> String? {
    withCard(Int32(index)) { _, info in
      String(cString: snd_ctl_card_info_get_id(info)) + " "
        + String(cString: snd_ctl_card_info_get_name(info))
    }
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
      let result = withCard(card) { control, info in
        body(
          String(cString: snd_ctl_card_info_get_id(info)), control,
          String(cString: snd_ctl_card_info_get_name(info)))
      }
      if let result { results.append(result) }
    }
    return results
  }

  private static func withCard<Result>(
    _ index: Int32, _ body: (OpaquePointer?, OpaquePointer) -> Result
  ) -> Result? {
    guard index >= 0 else { return nil }
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(index)", Int32(SND_PCM_NONBLOCK)) == 0 else { return nil }
    defer { snd_ctl_close(control) }
    var info: OpaquePointer?
    guard snd_ctl_card_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_ctl_card_info_free(info) }
    guard snd_ctl_card_info(control, info) == 0 else { return nil }
    return body(control, info)
  }
}
