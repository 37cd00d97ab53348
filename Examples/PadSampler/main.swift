// PadSampler: every button strikes a sound of its own.
//
// You will hear: a drum for each button of a game pad, a pedal, a box of buttons; or sounds of yours.
// Signal path: button → pad → sample, or synthesised drum → loudspeaker, at the moment the kernel saw it
// What your hands do: press. No pad? The keys play, a s d f g h j k l ; and q w e r t y.
// Run: swift run Examples/PadSampler; a keyboard as pads: --buttons 'evdev:/dev/input/event3?grab'
//      PADS_KIT=FOLDER plays its WAV files, kick, snare and hat first
// Try next: MoHaptics.rumble(strong: 0.5, seconds: 0.05) at every stroke; a board of your own: --buttons net
import MoInstruments
import MoSensing

MoApp.run("Sixteen pads: every button strikes a sound of its own.") {
  let folder = MoApp.environment("PADS_KIT", default: "")
  let pads = try MoAudio.play(Pads(samples: folder.isEmpty ? nil : SampleKit(folder: folder)))

  try MoButtons.addCallback { button in  // the sensor's thread
    if button.isPressed { pads.noteOn(Float(pad(of: button)), velocity: 0.8, at: button.time) }
  }
}
