import CALSA

/// PCMs for this process only: definitions added to alsa-lib's configuration in memory.
enum ALSADefinitions {
  /// Adds definitions in the language of `asound.conf`.
  static func add(_ text: String) {
    var top: OpaquePointer?
    snd_config_update_ref(&top)
    var input: OpaquePointer?
    var text = text
    text.withUTF8 { bytes in
      snd_input_buffer_open(&input, bytes.baseAddress, bytes.count)
      snd_config_load(top, input)
    }
    snd_input_close(input)
    snd_config_unref(top)
  }
}
