"""What can be said of a sound without hearing it."""
import numpy


def decibels(value):
    return 20 * numpy.log10(max(value, 1e-10)) if numpy.isfinite(value) else numpy.nan


def levels(sound):
    """Peak, root mean square, and the larger channel's mean, in dB of full scale."""
    return (decibels(numpy.abs(sound).max()), decibels(numpy.sqrt(numpy.square(sound).mean())),
            decibels(numpy.abs(sound.mean(axis=0)).max()))


def flags(sound, rate):
    """What is suspicious: no number, clip, dc, click, silent, not silent at the end."""
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
    return found


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
