extension MoAudioFileIn {
  /// The playback rate: 1 for the recorded speed, 2 for double speed, −1 for backwards; clamped to ±256.
  ///
  /// NaN and infinity count as 0, which repeats the present sample.
  ///
  /// At double speed, the sound is an octave higher.
  ///
  /// A file that has not begun to play starts at its end when it is set to play backwards. A streamed file that changes
  /// direction is silent for about 10 ms, until the disk thread has changed its direction, too.
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
        // Positions are still counted as before the change of direction.
        seekStream(to: streamFrame + (isBackwards ? framesToSkip : -framesToSkip))
      }
    }
  }

  /// Whether playback continues at the other end of the file when it reaches an end.
  ///
  /// A streamed file is read about a second ahead of the playback. So if you set the property to false less than a
  /// second before an end, the file may still continue at its other end.
  public var isLooping: Bool {
    get { loops }
    set {
      loops = newValue
      ring?._withUnsafeGuaranteedRef { $0.isLooping.store(newValue, ordering: .relaxed) }
    }
  }

  /// The playback position, in frames of the file.
  public var place: Double {
    guard ring == nil else {
      return pace * (Double(streamFrame) + (isBackwards ? -1 : 1) * (Double(framesToSkip) + position))
    }
    return position * fileRate / (sound?.sampleRate ?? fileRate)
  }

  /// Moves the playback position to the start, or to the end if the file plays backwards.
  ///
  /// A file that has finished plays again.
  public func reset() {
    seek(to: isBackwards ? size - 1 : 0)
    hasPlayed = false
  }

  /// Moves the playback position by a number of frames of the file; a negative number moves it back.
  ///
  /// The position stays within the file. A file that has finished plays again. NaN and infinity are ignored.
  public func addTime(_ frames: Double) {
    guard frames.isFinite else { return }
    seek(to: Int(max(0, min(Double(size - 1), place + frames))))
  }

  /// Changes `gain` so that the loudest sample of the file reaches `peak`; not possible if the file is streamed or
  /// silent.
  ///
  /// - Returns: false if `gain` was not changed.
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
      // The last frame is the last of the converted sound, as in a stream.
      let converted = Double(frame) * (sound?.sampleRate ?? fileRate) / fileRate
      position = frame == size - 1 ? Double(frames - 1) : min(converted, Double(frames - 1))
    }
  }

  /// Asks the disk thread to continue with a frame of the stream.
  ///
  /// - Parameters:
  ///   - frame: the frame, counted in frames of the stream, not of the file.
  ///   - sampleRate: the new sample rate of the device; nil if it stays the same.
  func seekStream(to frame: Int, sampleRate: Double? = nil) {
    guard let ring, frames > 0 else { return }
    let frame = max(0, min(frames - 1, frame))
    ring._withUnsafeGuaranteedRef { $0.ask(for: frame, backwards: isBackwards, sampleRate: sampleRate) }
    (streamFrame, position, framesToSkip, isSeeking) = (frame, 0, 0, true)
  }
}
