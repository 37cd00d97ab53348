import MIDICore

/// The two MPE zones of a MIDI port, as RPN 6 sets them; in a zone, each note has a member channel of its own.
///
/// The master of the lower zone is the first channel, and the master of the upper zone is the last channel.
///
/// - Thread: one owner.
struct MPEZones {
  private var lowerMembers = 0
  private var upperMembers = 0

  /// The first channel after the lower zone's members, and the first member of the upper zone.
  private var bounds: (lowerEnd: Int, upperStart: Int) { (1 + lowerMembers, 15 - upperMembers) }

  /// Returns whether a channel is a member channel of an MPE zone, in which each note has a channel of its own.
  func isMember(_ channel: MIDIChannel) -> Bool {
    let number = Int(channel.index)
    return (1..<1 + lowerMembers).contains(number) || (15 - upperMembers..<15).contains(number)
  }

  /// Returns the member channels of the MPE zone of a channel; only the channel itself if it is no member.
  func zone(of channel: MIDIChannel) -> Range<Int> {
    let number = Int(channel.index)
    guard isMember(channel) else { return number..<number + 1 }
    return number <= lowerMembers ? 1..<1 + lowerMembers : 15 - upperMembers..<15
  }

  /// Sets the number of members of the zone with the given master, 0 or 15; the other zone loses the channels.
  ///
  /// - Returns: the channels whose bend range becomes the default: the zone's master and members, and the channels that
  ///   left or changed their zone.
  mutating func set(_ members: Int, master: Int) -> [Int] {
    let before = bounds
    if master == 0 {
      lowerMembers = min(members, 15)
      upperMembers = min(upperMembers, max(0, 14 - lowerMembers))
    } else {
      upperMembers = min(members, 15)
      lowerMembers = min(lowerMembers, max(0, 14 - upperMembers))
    }
    let now = bounds
    return (0..<16).filter { index in
      // With fifteen members, a zone also has the other zone's master.
      if index == 0 { return master == 0 || now.upperStart < 1 || before.upperStart < 1 }
      if index == 15 { return master == 15 || now.lowerEnd > 15 || before.lowerEnd > 15 }
      let (wasLower, isLower) = (index < before.lowerEnd, index < now.lowerEnd)
      let (wasUpper, isUpper) = (index >= before.upperStart, index >= now.upperStart)
      let isInZone = master == 0 ? isLower : isUpper
      return isInZone || wasLower != isLower || wasUpper != isUpper
    }
  }
}
