// TiltToMIDI: movement as MIDI, for synthesizers, DAWs, ChucK, SuperCollider, Pd.
//
// What happens: tilting to the sides moves controller 11 (expression) and chooses a note; tilting forth and back bends;
//   a shake plays the note. Notes sound in time with the loudspeaker; --midi-trim MS corrects the gear's own latency.
// Signal path: accelerometer → mapping → MIDI port "MoMu TiltToMIDI"
// What your hands do: tilt and shake. No accelerometer? Space shakes, the arrows tilt. Neither? A simulated player does.
// Run: swift run Examples/TiltToMIDI --midi-out FLUID     (momu midi list shows the ports)
//      swift run Examples/TiltToMIDI --accel sim:shake --midi-out file:take.mid --seconds 10     (no hardware)
// Try next: "activity -> pressure"; "tilt-roll -> cc74 smooth 0.3"; your own mapping in a file, with momu midi gestures.
import MoInstruments

MoApp.run("Plays MIDI with movement: tilt to expression and bend, shakes to notes.") {
  let gestures = try MoMIDI.gestures(
    """
    tilt-roll -45..45 -> cc11
    tilt-pitch -60..60 -> bend
    tilt-roll -45..45 -> note A3..A5 in minor-pentatonic A3
    jerk -> strike 0.3..1
    """)
  try MoAccel.addCallback { motion in gestures.move(motion) }  // the sensor's thread
}
