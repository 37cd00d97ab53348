extension Voices {
  /// Renders the next frames of all sounding voices, and adds them to a block; all voices receive `setting`.
  @inlinable
  public mutating func render(_ block: inout AudioBlock, _ setting: Voice.Setting) {
    render(&block, block.frames, setting)
  }

  /// Renders the next frames of all sounding voices, and adds them to the given frames of a block.
  @inlinable
  public mutating func render(_ block: inout AudioBlock, _ frames: Range<Int>, _ setting: Voice.Setting) {
    let step = fadeStep
    // The array's memory is accessed once, not for each sample.
    var places = slots.mutableSpan
    for index in places.indices where places[index].voice.isSounding {
      places[index].render(&block, frames, setting, fadeStep: step)
    }
  }

  /// Calls a closure with each voice, voices at rest included; the closure may change the voice.
  @inlinable
  public mutating func adjust(_ change: (inout Voice) -> Void) {
    for index in slots.indices { change(&slots[index].voice) }
  }
}

extension Voices where Voice.Setting == Void {
  /// Renders the next frames of all sounding voices, and adds them to a block.
  @inlinable
  public mutating func render(_ block: inout AudioBlock) { render(&block, ()) }
}

extension VoiceSlot {
  @inlinable
  mutating func render(
    _ block: inout AudioBlock, _ frames: Range<Int>, _ setting: Voice.Setting, fadeStep: Float
  ) {
    let pan = max(-1, min(voice.pan, 1))
    let (left, right) = (min(1, 1 - pan), min(1, 1 + pan))
    for frame in frames {
      var sample = voice.tick(setting)
      if strokeLeft > 0 { countStroke() }
      if isFading {
        sample *= fade * fade * (3 - 2 * fade)
        fade -= fadeStep
        if fade <= 0 { return rest() }
      }
      block[frame, 0] += left * sample
      if block.outputs > 1 { block[frame, 1] += right * sample }
    }
  }

  @inlinable
  mutating func countStroke() {
    strokeLeft &-= 1
    if strokeLeft == 0 { release(note) }
  }
}
