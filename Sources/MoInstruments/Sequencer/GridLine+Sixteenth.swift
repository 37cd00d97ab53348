import MoDSP

extension GridLine {
  /// The sixteenth of the bar, from 0: four make a beat in 4/4, two in 6/8.
  ///
  /// - Real-time safe: yes.
  var sixteenth: Int {
    let place = (position.beat * 16 / Double(position.meter.unit)).rounded()
    return Int(max(0, min(place, 1024)))
  }
}
