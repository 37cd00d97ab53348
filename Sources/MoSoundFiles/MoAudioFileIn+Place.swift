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
        seek(to: streamFrame + (isBackwards ? owed : -owed))
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
    guard ring == nil else { return Double(streamFrame) + (isBackwards ? -1 : 1) * (Double(owed) + position) }
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
    if let ring {
      ring._withUnsafeGuaranteedRef { $0.ask(for: frame, backwards: isBackwards) }
      (streamFrame, position, owed, isSeeking) = (frame, 0, 0, true)
    } else {
      position = min(Double(frame) * (sound?.sampleRate ?? fileRate) / fileRate, Double(frames - 1))
    }
  }
}
