extension MoAudioFileIn {
  /// How fast it plays: 1 as recorded, 2 an octave higher, −1 backwards; kept within ±256.
  ///
  /// One that has not begun to play begins at its end when it is told to go backwards. A streamed file that turns
  /// round is silent for about 10 ms, until the disk thread has turned as well.
  public var rate: Double {
    get { step / ratio }
    set {
      let wanted = newValue.isFinite ? newValue : 0
      step = max(-Self.fastest, min(Self.fastest, wanted)) * ratio
      let turns = step < 0 && !isBackwards || step > 0 && isBackwards
      guard turns else { return }
      isBackwards.toggle()
      if !hasPlayed, !isFinished {
        seek(to: isBackwards ? size - 1 : 0)
      } else if ring != nil {
        // Places are told as they were before the turn.
        seekStream(to: streamFrame + (isBackwards ? owed : -owed))
      }
    }
  }

  /// Whether it begins again when it comes to its end.
  ///
  /// A streamed file has been read ahead: its last turn may last a second longer than asked for.
  public var isLooping: Bool {
    get { loops }
    set {
      loops = newValue
      ring?._withUnsafeGuaranteedRef { $0.isLooping.store(newValue, ordering: .relaxed) }
    }
  }

  /// Where it is, in frames of the file.
  public var place: Double {
    guard ring == nil else {
      return pace * (Double(streamFrame) + (isBackwards ? -1 : 1) * (Double(owed) + position))
    }
    return position * fileRate / (sound?.sampleRate ?? fileRate)
  }

  /// Goes back to the beginning, or to the end where it plays backwards.
  public func reset() {
    seek(to: isBackwards ? size - 1 : 0)
    hasPlayed = false
  }

  /// Goes so many frames of the file forward, or back; not beyond its ends.
  public func addTime(_ frames: Double) {
    guard frames.isFinite else { return }
    seek(to: Int(max(0, min(Double(size - 1), place + frames))))
  }

  /// Sets the gain so that the loudest sample reaches `peak`; false where the file is streamed, or silent.
  @discardableResult
  public func normalize(to peak: Float = 1) -> Bool {
    guard let sound, sound.peak > 0 else { return false }
    gain = peak / sound.peak
    return true
  }

  private func seek(to frame: Int) {
    guard size > 0 else { return }
    isFinished = false
    let frame = max(0, min(size - 1, frame))
    if ring != nil {
      seekStream(to: frame == size - 1 ? frames - 1 : Int((Double(frame) / pace).rounded()))
    } else {
      // The last frame is the last of what was converted, as it is in a stream.
      let converted = Double(frame) * (sound?.sampleRate ?? fileRate) / fileRate
      position = frame == size - 1 ? Double(frames - 1) : min(converted, Double(frames - 1))
    }
  }

  /// Goes to a frame of what the stream brings; at another rate of the device where one is given.
  func seekStream(to frame: Int, sampleRate: Double? = nil) {
    guard let ring, frames > 0 else { return }
    let frame = max(0, min(frames - 1, frame))
    ring._withUnsafeGuaranteedRef { $0.ask(for: frame, backwards: isBackwards, sampleRate: sampleRate) }
    (streamFrame, position, owed, isSeeking) = (frame, 0, 0, true)
  }
}
