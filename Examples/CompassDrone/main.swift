// CompassDrone: a drone that sounds from the north; turn, and it moves around you.
//
// You will hear: a chord from the north. It is bright in front of you and dark behind you,
//   and it moves to your left and right as you turn.
// Signal path: compass → heading → direction of the north → Chord (filter, left, right) → loudspeaker
// What your hands do: turn, with the device flat in your hand. First draw a figure of eight in the air,
//   which calibrates the compass.
// No magnetometer? The arrows turn. Until you press a key, a simulated player turns once in ten seconds.
// Run: swift run Examples/CompassDrone; a phone's or a rig's compass: --compass net
// Try next: a second Chord in the south; true north, with MoLocation and setDeclination.
import Glibc
import MoDSP
import MoMu
import MoSensing

MoApp.run("A drone that stands in the north: turn, and it goes round you.") {
  let side = MoParam(0, ramp: .milliseconds(50))  // −1 at your left … 1 at your right
  let ahead = MoParam(1, ramp: .milliseconds(50))  // 1 in front of you … −1 behind you

  try MoCompass.addCallback { heading in  // the sensor's thread
    let angle = (heading.trueHeading ?? heading.magneticHeading) * .pi / 180
    side.value = -sin(angle)
    ahead.value = cos(angle)
  }
  try MoAudio.start(Chord()) { chord, block in  // the audio thread
    for frame in block.frames {
      let sound = chord.tick(ahead: ahead.tick(block.sampleRate))
      let place = side.tick(block.sampleRate)
      // Without a right channel, the left channel has the same loudness for every direction.
      block[frame, 0] = sound * (block.outputs > 1 ? max(0, 0.5 - 0.5 * place) : 0.5).squareRoot()
      if block.outputs > 1 { block[frame, 1] = sound * max(0, 0.5 + 0.5 * place).squareRoot() }
    }
  }
}
