import MoCore
import MoRig
import MoRuntime

extension Run {
  /// A run in virtual time, for a rig that waits for its devices.
  static func virtual() -> Run {
    var options = RunOptions()
    options.offline = true
    options.quiet = true
    return Run(options, waitsForDevices: true)
  }
}

extension Rig {
  /// Advances the virtual time of `run`, with the turns of the target resolver between.
  func play(until seconds: Double, in run: Run) {
    let end = HostTime(seconds: seconds)
    while let next = run.input.nextTime, next <= end {
      run.frameClock?.advance(frames: max(0, Int((next.seconds(since: run.clock.now) * 48_000).rounded(.up))))
      resolver.update()
      run.input.service(until: next)
      update()
    }
  }
}
