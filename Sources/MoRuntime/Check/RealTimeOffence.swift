import CMoSystem

/// The text for each kind of violation: why it matters, and what to do instead.
struct RealTimeOffence: Sendable {
  let reason: StaticString
  let instead: StaticString

  init(_ kind: momu_rt_kind) {
    switch kind {
    case MOMU_RT_ALLOCATION:
      reason = "it may wait for other programs"
      instead = "make arrays, strings and objects before MoAudio.start, not inside the callback."
    case MOMU_RT_RELEASE:
      reason = "giving memory back may wait for other programs"
      instead = "let something outside the callback hold on to the array, string or object that ended here."
    case MOMU_RT_LOCK:
      reason = "it waits until another thread lets go"
      instead = "hand values over with MoParam, MoTrigger or MoQueue, which never wait."
    case MOMU_RT_WAIT:
      reason = "it stops the audio thread until something else happens"
      instead = "count frames to know when it is time; wait only on threads of your own."
    case MOMU_RT_FILE:
      reason = "it waits for a terminal, a file or the network"
      instead = "keep the value in a MoParam or MoQueue, and print, write or send it outside the callback."
    case MOMU_RT_RANDOM:
      reason = "it asks the system for every number, and the answer may be late"
      instead = "give Float.random(in:using:) a small generator of your own, made before MoAudio.start."
    case MOMU_RT_THREAD:
      reason = "starting a thread may wait for other programs"
      instead = "start threads before MoAudio.start, and hand them work with MoQueue."
    default:
      reason = "the system may take as long as it likes"
      instead = "do it outside the callback, on a thread of your own."
    }
  }
}
