// So many of ChucK's mandolins, plucked once a second, for so long, as fast as can be.
//
//   chuck --silent mandolins.ck:COUNT:SECONDS
Std.atoi(me.arg(0)) => int count;
Std.atof(me.arg(1)) => float seconds;
Mandolin mandolins[count];
for (0 => int i; i < count; i++) {
    mandolins[i] => dac;
    220 => mandolins[i].freq;
}
for (0 => int passed; passed < seconds; passed++) {
    for (0 => int i; i < count; i++) 0.8 => mandolins[i].pluck;
    1::second => now;
}
