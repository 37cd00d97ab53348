import Glibc
import MoMu
import Synchronization

/// Something a callback does; warmed up by one call before the check unless that would spoil it.
struct Offence: Sendable {
  var isWarmedUp = true
  let body: @Sendable () -> Void

  init(isWarmedUp: Bool = true, _ body: @escaping @Sendable () -> Void) {
    self.isWarmedUp = isWarmedUp
    self.body = body
  }
}

/// Keeps the optimiser from removing what is made only to offend.
@inline(never) func keep<Value>(_ value: Value) {}

final class Voice { var phase: Float = 0 }

/// The newest object, so that making one is not optimised away.
nonisolated(unsafe) var newest = Voice()  // Unsafe: one callback, and the program waits for it.

/// A list that only one thread touches.
final class Held: @unchecked Sendable {
  // Unchecked: the program has one callback and waits for it.
  var samples = [Float](repeating: 0, count: 64)
  var names: [Int: Int] = [:]
  var memory: UnsafeMutableRawPointer? = malloc(64)
  var phase: Float = 0
}

let held = Held()
let lock = MoMutex()
let level = MoParam(0.5)
let spin = Atomic<Int>(0)

nonisolated(unsafe) let mutex = {
  // Unsafe: made to be shared.
  let made = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  pthread_mutex_init(made, nil)
  return made
}()
nonisolated(unsafe) let readWriteLock = {
  // Unsafe: made to be shared.
  let made = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  pthread_rwlock_init(made, nil)
  return made
}()
nonisolated(unsafe) let condition = {
  // Unsafe: made to be shared.
  let made = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  pthread_cond_init(made, nil)
  return made
}()
nonisolated(unsafe) let semaphore = {
  // Unsafe: made to be shared.
  let made = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  sem_init(made, 0, 100)
  return made
}()

let offences: [String: Offence] = [
  "good": Offence {
    var phase = held.phase
    for frame in held.samples.indices {
      phase += level.value * 0.01
      if phase >= 1 { phase -= 1 }
      held.samples[frame] = sinf(phase * 2 * .pi)
    }
    held.phase = phase
    spin.add(1, ordering: .relaxed)
    keep(ContinuousClock.now)
  },
  "transforms": Offence { transform() },
  "units": Offence { playUnits() },
  "clocks": Offence { heldClocks.exchange() },
  "signals": Offence { signal() },
  "instruments": Offence { heldInstruments.play() },
  "midi": Offence { heldMIDI.turn() },
  "network-midi": Offence { heldNetworkMIDI.turn() },
  "reading": Offence {
    keep(MoAccel.reading.activity)
    keep(MoAccel.x)
  },

  "array": Offence { keep([Float](repeating: 0, count: Int(held.samples.count) + 1)) },
  "append": Offence { for _ in 0..<held.samples.count + 1 { held.samples.append(0) } },
  "string": Offence { keep("the phase of this voice is now \(held.phase)") },
  "object": Offence { newest = Voice() },
  "dictionary": Offence {
    let next = held.names.count
    for key in next...(2 * next) { held.names[key] = key }
  },
  "realloc": Offence { held.memory = realloc(held.memory, 1 << 16) },
  "aligned": Offence {
    var block: UnsafeMutableRawPointer?
    posix_memalign(&block, 64, 1024)
    keep(block)
  },
  "free": Offence(isWarmedUp: false) {
    free(held.memory)
    held.memory = nil
  },

  "mutex": Offence {
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
  },
  "momutex": Offence { lock.withLock { held.phase = 0 } },
  "notify": Offence {
    RealTimeCheck.notifyLock("SpinLock.acquire")
    held.phase = 0
  },
  "rwlock": Offence {
    pthread_rwlock_rdlock(readWriteLock)
    pthread_rwlock_unlock(readWriteLock)
  },

  "condition": Offence {
    var past = timespec()
    pthread_cond_timedwait(condition, mutex, &past)
  },
  "semaphore": Offence { keep(sem_wait(semaphore)) },
  "sleep": Offence { keep(usleep(1)) },
  "yield": Offence { keep(sched_yield()) },
  "poll": Offence { keep(poll(nil, 0, 0)) },

  "print": Offence { print("hit") },
  "write": Offence { keep(write(1, "hit\n", 4)) },
  "open": Offence { close(open("/dev/null", O_RDONLY)) },
  "puts": Offence { keep(puts("hit")) },

  "random": Offence { keep(Float.random(in: 0...1)) },
  "thread": Offence(isWarmedUp: false) {
    var thread = pthread_t()
    pthread_create(&thread, nil, { _ in nil }, nil)
  },

  // Neither is in any list: only the kernel can tell.
  "system": Offence { keep(getppid()) },
  "map": Offence { keep(mmap(nil, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) },

  // A program that stops of itself says why in its own words.
  "fatal": Offence(isWarmedUp: false) { fatalError("no drum at all") },
]
