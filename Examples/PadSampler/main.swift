// PadSampler: every button strikes its own sound.
//
// You will hear: a drum for each button of a game pad, a pedal or a box of buttons; or your own sounds.
// Signal path: button → pad → sample or synthesised drum → loudspeaker, at the kernel's time stamp
// What your hands do: press. No pad? Use the keys a s d f g h j k l ; and q w e r t y.
// Run: swift run Examples/PadSampler; a keyboard as pads: --buttons 'evdev:/dev/input/event3?grab'
//      --kit FOLDER plays its WAV files, kick, snare and hi-hat first
// Try next: MoHaptics.rumble(strong: 0.5, seconds: 0.05) at every strike;
//   a board of your own: --buttons net
import MoInstruments
import MoSensing

let kit = MoOption("kit", "FOLDER", "your own sounds: kick.wav, snare.wav and others")

MoApp.run("Sixteen pads: every button strikes a sound of its own.", options: [kit]) {
  let pads = try MoAudio.play(Pads(samples: kit.text.map { try SampleKit(folder: $0) }))

  try MoButtons.addCallback { button in  // the sensor's thread
    if button.isPressed { pads.noteOn(pad(of: button), velocity: 0.8, at: button.time) }
  }
}
