import CMoSystem

/// The explanation of a kind of violation: the reason why the call is a problem (`reason`), and the remedy (`instead`).
struct RealTimeOffence: Sendable {
  let reason: StaticString
  let instead: StaticString

  init(_ kind: momu_rt_kind) {
    switch kind {
    case MOMU_RT_ALLOCATION:
      reason = "it may wait for other programs"
      instead = "make arrays, strings and objects before MoAudio.start, not inside the callback."
    case MOMU_RT_RELEASE:
      reason = "freeing memory may wait for other programs"
      instead = "keep a reference to the array, string or object outside the callback."
    case MOMU_RT_LOCK:
      reason = "it waits until another thread releases the lock"
      instead = "hand values over with MoParam, MoTrigger or MoQueue, which never wait."
    case MOMU_RT_WAIT:
      reason = "it blocks the audio thread until another event"
      instead = "count frames to measure time; wait only on your own threads."
    case MOMU_RT_FILE:
      reason = "it waits for a terminal, a file or the network"
      instead = "keep the value in a MoParam or MoQueue, and print, write or send it outside the callback."
    case MOMU_RT_RANDOM:
      reason = "it asks the system for each number, and the answer may be late"
      instead = "make a generator before MoAudio.start, and give it to Float.random(in:using:)."
    case MOMU_RT_THREAD:
      reason = "starting a thread may wait for other programs"
      instead = "start threads before MoAudio.start, and hand them work with MoQueue."
    default:
      reason = "the system may take any length of time"
      instead = "do it outside the callback, on your own thread."
    }
  }
}
