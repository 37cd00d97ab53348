// ShakeDrum's sound in ChucK: two shakes a second on its shaker, a drum with each, as fast as can be.
//
//   chuck --silent shake.ck:SECONDS:OUT.wav
Std.atof(me.arg(0)) => float seconds;
Shakers shaker => dac;
SinOsc drum => ADSR envelope => dac;
dac => WvOut2 file => blackhole;
me.arg(1) => file.wavFilename;
180 => drum.freq;
envelope.set(1::ms, 200::ms, 0, 1::ms);

<<< "first sample" >>>;
for (0 => int i; i < seconds * 2; i++) {
    1 => shaker.noteOn;
    envelope.keyOn();
    500::ms => now;
}
file.closeFile();
