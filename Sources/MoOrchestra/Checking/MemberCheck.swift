import MoCore
import MoMu
import MoSessionCore

/// The result of a check before a concert, for one member.
public struct MemberCheck: Hashable, Sendable {
  /// The member.
  public var member: SessionMember
  /// The data that the member reported about its machine; nil if the member did not answer.
  public var health: MemberHealth?
  /// The member's problems, and remarks on smaller flaws.
  public var flaws: [HealthFlaw]

  /// Whether the member is ready for a concert.
  public var isReady: Bool { !flaws.contains { $0.isProblem } }
}

/// A problem of a member or of the room, or a remark on a smaller flaw, with the remedy.
public struct HealthFlaw: Hashable, Sendable {
  /// Whether the flaw endangers a concert; if not, it is only a remark.
  public var isProblem: Bool
  /// The description of the problem, or of the smaller flaw.
  public var what: String
  /// The remedy: what to do, or to type.
  public var fix: String
}

/// The limits within which a member is ready for a concert.
public enum HealthLimits {
  /// The limit for the error bound of a member's beat against the beat of the keeper: 20 ms.
  ///
  /// The keeper is the member whose clock is the room's clock.
  /// The error bound is the largest possible difference between the two beats. If two clicks are more than 20 ms apart,
  /// a listener can tell which click was first: I. J. Hirsh, *Auditory perception of temporal order*, JASA 31 (1959).
  public static let bound: Float = 20
  /// The limit for the likely error of a member's beat against the beat of the keeper on a symmetric network: 2 ms.
  ///
  /// The keeper is the member whose clock is the room's clock.
  /// On a symmetric network, the delays are equal in both directions. If two clicks are more than 2 ms apart, listeners
  /// hear two clicks instead of one click (I. J. Hirsh, same article).
  public static let symmetricBound: Float = 2
  /// The longest round trip of a ready member, in ms.
  ///
  /// Events for other members are sent 150 ms before their beat, which leaves time for one retransmission.
  public static let roundTrip: Float = 100
  /// The largest share of failed exchanges, 0…1, at which a member still counts as ready.
  ///
  /// An exchange is a packet to a member and its answer. If 10 % of the exchanges fail, 5 % of the packets are
  /// lost. If a note is sent four times before its beat, all four packets are lost in six of a million cases,
  /// and the note arrives too late.
  public static let loss: Float = 0.1
  /// The largest share of real time, 0…1, that a ready member may take to compute its sound.
  ///
  /// At this share, a passage that takes 1.5 times as long to compute still plays without dropouts (0.67 · 1.5 = 1).
  public static let soundLoad: Float = 0.67
  /// The number of running and waiting tasks per processor core above which the check makes a remark; above 1, some
  /// tasks wait.
  ///
  /// A member above this limit can still be ready, since the remark is not a problem.
  public static let machineLoad: Float = 1
}

extension SessionCore {
  /// Returns the problems of the room as a whole.
  public func roomFlaws(at now: HostTime) -> [HealthFlaw] {
    var flaws: [HealthFlaw] = foreigners(at: now).map { other in
      HealthFlaw(
        isProblem: true,
        what:
          "\(other.name ?? "a member") uses version \(other.version) of the session protocol, this program "
          + "\(SessionAddress.version)",
        fix: "update MoMu on the older of the two")
    }
    if outOfReach > 0 {
      flaws.append(
        HealthFlaw(
          isProblem: true,
          what: "\(outOfReach) of the room's members are reached by others, but not from here",
          fix: "give all machines IPv4 and IPv6, and let them into one network (momu doctor)"))
    }
    if let part = partBeside {
      flaws.append(
        HealthFlaw(
          isProblem: true,
          what:
            "another part of the room plays at the same time, with \(counted(Int(part.standing.members), "member"))",
          fix: "let the conductor of either follow the other: J in Orchestra, or type :join"))
    }
    return flaws
  }

  /// Returns the results of the last check, sorted by the members' names.
  public func checks(at now: HostTime) -> [MemberCheck] {
    let list = roster(at: now).filter { !($0.isMe && settings.isHidden) }
    return list.map { member in
      let health = health(of: member.identity.member)
      return MemberCheck(
        member: member, health: health,
        flaws: Self.flaws(of: member) + (health.map { flaws(in: $0) } ?? [Self.silence]))
    }
  }

  private static let silence = HealthFlaw(
    isProblem: true, what: "it does not answer the check",
    fix: "check that its program runs; if its MoMu is older, update it")

  package static func flaws(of member: SessionMember) -> [HealthFlaw] {
    let report = member.report
    var flaws: [HealthFlaw] = []
    func add(_ what: String, _ fix: String) {
      flaws.append(HealthFlaw(isProblem: true, what: what, fix: fix))
    }
    let air = "plug in a cable, or go nearer to the access point and use its 5 GHz band"
    if !report.boundMilliseconds.isFinite {
      add("it is not in time yet", "wait some seconds, and check again; if that stays so: momu doctor on it")
    } else if report.boundMilliseconds > HealthLimits.bound
      || report.symmetricMilliseconds > HealthLimits.symmetricBound
    {
      add(
        "its beat may be ±\(HealthFlaw.short(report.symmetricMilliseconds)) ms off, surely within "
          + "\(HealthFlaw.short(report.boundMilliseconds)) ms (at most \(HealthFlaw.short(HealthLimits.symmetricBound)) and "
          + "\(HealthFlaw.short(HealthLimits.bound)))",
        "wait half a minute, and check again; if that stays so: \(air)")
    }
    if report.roundTripMilliseconds > HealthLimits.roundTrip {
      add(
        "its packets take \(HealthFlaw.short(report.roundTripMilliseconds)) ms there and back (at most "
          + "\(HealthFlaw.short(HealthLimits.roundTrip)))",
        "\(air); switch off Wi-Fi power saving (momu doctor on it)")
    }
    if report.loss > HealthLimits.loss {
      add(
        "\(HealthFlaw.short(report.loss * 100)) % of its exchanges are lost (at most \(HealthFlaw.short(HealthLimits.loss * 100)) %)",
        "\(air); let fewer others use the network")
    }
    return flaws
  }

  private func flaws(in health: MemberHealth) -> [HealthFlaw] {
    var flaws: [HealthFlaw] = []
    func add(_ what: String, _ fix: String, isProblem: Bool = true) {
      flaws.append(HealthFlaw(isProblem: isProblem, what: what, fix: fix))
    }
    if health.release != settings.health.release {
      add(
        "it runs MoMu \(health.release), this machine MoMu \(settings.health.release)",
        "update the older of the two")
    }
    if health.soundLoad > HealthLimits.soundLoad {
      add(
        "its sound takes \(HealthFlaw.short(health.soundLoad * 100)) % of its time (at most "
          + "\(HealthFlaw.short(HealthLimits.soundLoad * 100)) %)",
        "let it play fewer voices, end other programs there, or give its device larger blocks")
    }
    if health.underruns > 0 {
      add(
        "its sound device ran dry \(health.underruns) times in the last minute",
        "momu doctor on it lists missing real-time rights; or give its device larger blocks")
    }
    if health.isSounding, !health.isTrimmed {
      add(
        "the delay of its sound device was not measured", "momu calibrate --save on it, with a microphone",
        isProblem: false)
    }
    if health.machineLoad > HealthLimits.machineLoad {
      add(
        "\(HealthFlaw.short(health.machineLoad)) tasks run or wait on it for each processor core",
        "end other programs there", isProblem: false)
    }
    if health.link == .both {
      add(
        "it uses cable and Wi-Fi at the same time", "switch off its Wi-Fi if the cable leads to all",
        isProblem: false
      )
    }
    return flaws
  }
}

extension HealthFlaw {
  /// Returns a number as text with few digits, so that it is easy to read aloud: 0.12, 3.5, 120.
  public static func short(_ number: Float) -> String {
    guard number.isFinite, abs(number) < 1e6 else { return "?" }
    let places: Float = abs(number) >= 100 ? 1 : abs(number) >= 1 ? 10 : 100
    let rounded = (number * places).rounded() / places
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
