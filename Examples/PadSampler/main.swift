// PadSampler: every button strikes its own sound.
//
// You will hear: a drum for each button of a game pad, a pedal or a box of buttons; or your own sounds.
// Signal path: button → pad → sample or synthesised drum → loudspeaker, at the kernel's time stamp
// What your hands do: press. No pad? Use the keys a s d f g h j k l ; and q w e r t y.
// Run: swift run Examples/PadSampler; a keyboard as pads: --buttons 'evdev:/dev/input/event3?grab'
//      PADS_KIT=FOLDER plays its WAV files, kick, snare and hi-hat first
// Try next: MoHaptics.rumble(strong: 0.5, seconds: 0.05) at every strike;
//   a board of your own: --buttons net
import MoInstruments
import MoSensing

MoApp.run("Sixteen pads: every button strikes a sound of its own.") {
  let folder = MoApp.environment("PADS_KIT", default: "")
  let pads = try MoAudio.play(Pads(samples: folder.isEmpty ? nil : SampleKit(folder: folder)))

  try MoButtons.addCallback { button in  // the sensor's thread
    if button.isPressed { pads.noteOn(Float(pad(of: button)), velocity: 0.8, at: button.time) }
  }
}
