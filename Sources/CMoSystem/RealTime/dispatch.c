// All system calls, by Syscall User Dispatch (Linux 5.11, x86-64). The kernel checks the thread's byte at every system
// call. If the byte is set, it sends SIGSYS instead of executing the call. See
// Documentation/admin-guide/syscall-user-dispatch.rst in the kernel's source.
#define _GNU_SOURCE
#include "realtime_watch.h"

#if MOMU_RT_INTERPOSES && defined(__x86_64__)
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
enum { DISPATCH_OFF = 0, DISPATCH_ON = 1 };

// The kernel never reports system calls made between `begin` and `end`:
//   return    ends our SIGSYS handler; unwinders know it by exactly these bytes,
//   resume    makes a call that was counted and goes back to the address the handler left below the
//             interrupted function's red zone of 128 bytes,
//   unhandle  ends another signal's handler that ran meanwhile.
__asm__(
    ".pushsection .text\n"
    ".balign 16\n"
    "momu_rt_gate_begin: nop\n"
    ".balign 16\n"
    "momu_rt_gate_return: mov $15, %rax\n"
    "  syscall\n"
    "momu_rt_gate_resume: syscall\n"
    "  ret $128\n"
    "momu_rt_gate_unhandle: syscall\n"
    "  ud2\n"
    "momu_rt_gate_end:\n"
    ".popsection\n");
extern const char momu_rt_gate_begin[] __attribute__((visibility("hidden")));
extern const char momu_rt_gate_return[] __attribute__((visibility("hidden")));
extern const char momu_rt_gate_resume[] __attribute__((visibility("hidden")));
extern const char momu_rt_gate_unhandle[] __attribute__((visibility("hidden")));
extern const char momu_rt_gate_end[] __attribute__((visibility("hidden")));

static void dispatched(int signal, siginfo_t *info, void *context) {
  (void)signal;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  long number = info->si_syscall;
  if (number == SYS_rt_sigreturn) {
    registers[REG_RIP] = (greg_t)momu_rt_gate_unhandle;
    return;
  }
  // The clock is read without a system call. If the machine's clock source does not allow that, the kernel's shared
  // page makes a call itself, which does not wait.
  bool harmless = number == SYS_clock_gettime || number == SYS_gettimeofday || number == SYS_getcpu;
  if (!harmless || momu_rt_mode_now == MOMU_RT_COUNT) momu_rt_system_call(number);
  bool makes_process = number == SYS_clone || number == SYS_clone3 || number == SYS_vfork || number == SYS_fork;
  if (makes_process || number == SYS_rt_sigprocmask || !momu_rt_armed) {
    // A new thread starts after the system call on its own stack, and a change of the signal mask is about to block
    // SIGSYS. So the instruction itself runs again. Nothing more is counted until the next callback.
    momu_rt_armed = 0;
    registers[REG_RIP] -= 2;
    return;
  }
  registers[REG_RSP] -= 128 + 8;
  *(greg_t *)registers[REG_RSP] = registers[REG_RIP];
  registers[REG_RIP] = (greg_t)momu_rt_gate_resume;
}

bool momu_rt_dispatch_install(void) {
  // The kernel's own structure: the C library's sigaction would replace our return address by its own.
  struct {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    const void *restorer;
    uint64_t mask;
  } action = {dispatched, SA_SIGINFO | 0x04000000 /* SA_RESTORER */, momu_rt_gate_return, 0};
  if (prctl(PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, 0, 0, &momu_rt_armed) != 0) return false;
  prctl(PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_OFF, 0, 0, 0);
  return syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, sizeof action.mask) == 0;
}

void momu_rt_dispatch_thread(void) {
  sigset_t reported;
  sigemptyset(&reported);
  sigaddset(&reported, SIGSYS);
  pthread_sigmask(SIG_UNBLOCK, &reported, NULL);  // the kernel kills a thread that blocks it
  prctl(
      PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, momu_rt_gate_begin, momu_rt_gate_end - momu_rt_gate_begin,
      &momu_rt_armed);
}
#else
bool momu_rt_dispatch_install(void) { return false; }
void momu_rt_dispatch_thread(void) {}
#endif
