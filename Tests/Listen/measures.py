"""What can be said of a sound without hearing it."""
import numpy


def decibels(value):
    return 20 * numpy.log10(max(value, 1e-10)) if numpy.isfinite(value) else numpy.nan


def levels(sound):
    """Peak, root mean square, and the larger channel's mean, in dB of full scale."""
    return (decibels(numpy.abs(sound).max()), decibels(numpy.sqrt(numpy.square(sound).mean())),
            decibels(numpy.abs(sound.mean(axis=0)).max()))


def flags(sound, rate, onsets=(), rest=None):
    """What is suspicious: no number, clip, dc, click, silent, dead note, runaway tail, not silent at the end.

    At each of onsets (s) something new must be heard; from rest (s) on nothing may grow.
    """
    if not numpy.isfinite(sound).all():
        return ["no number"]
    found = []
    if numpy.abs(sound).max() >= 1:
        found.append("clip")
    if decibels(numpy.abs(sound.mean(axis=0)).max()) > -50:
        found.append("dc")
    if any(clicks(channel, rate) for channel in sound.T):
        found.append("click")
    if decibels(numpy.abs(sound).max()) < -60:
        found.append("silent")
    if decibels(numpy.sqrt(numpy.square(sound[-rate // 50:]).mean())) > -60:
        found.append("not silent at the end")
    if any(dead(sound.mean(axis=1), int(onset * rate), rate) for onset in onsets):
        found.append("dead note")
    if rest is not None and grows(sound[int(rest * rate):], rate):
        found.append("runaway tail")
    return found


def dead(mono, onset, rate):
    """Whether the 80 ms from a frame on bring nothing new: no partial rises by a tenth of all that sounds, above -60 dB."""
    size = rate * 8 // 100
    before = numpy.concatenate([numpy.zeros(size), mono])[onset:onset + size]
    window = numpy.hanning(size)
    was, now = (numpy.abs(numpy.fft.rfft(part * window)) * 2 / window.sum()
                for part in (before, mono[onset:onset + size]))
    rise = numpy.clip(now - was, 0, None)
    return decibels(rise.max()) < -75 or rise.sum() < 0.1 * was.sum()


def grows(tail, rate):
    """Whether 100 ms are twice as loud as the loudest before them, or half a second after all was let go."""
    step = rate // 10
    levels = [numpy.sqrt(numpy.square(tail[start:start + step]).mean()) for start in range(0, len(tail) - step, step)]
    return any(level > 0.001 and level > 2 * max(levels[:5]) for level in levels[5:])


def clicks(channel, rate):
    """Whether a millisecond bends the waveform far more than all within 30 ms after and before it do.

    A jump at either end counts, since silence stands around the sound.
    """
    padded = numpy.concatenate([numpy.zeros(rate // 10), channel, numpy.zeros(rate // 10)])
    bends = numpy.abs(numpy.diff(padded, 2))
    step = rate // 1000
    bends = bends[:len(bends) // step * step].reshape(-1, step).max(axis=1)
    # What follows a stroke of a drum is as rough as its beginning; what follows a click is not.
    for place in numpy.nonzero(bends > 0.02)[0]:
        around = numpy.concatenate([bends[max(0, place - 30):max(0, place - 1)], bends[place + 2:place + 31]])
        if bends[place] > 8 * around.max(initial=1e-9):
            return True
    return False
