"""Runs a program as on a kernel before Linux 5.11: prctl knows nothing of Syscall User Dispatch.

old_kernel.py PROGRAM [ARGUMENT...]
"""
import ctypes
import errno
import os
import struct
import sys

PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_SET_NO_NEW_PRIVS = 22, 2, 38
PR_SET_SYSCALL_USER_DISPATCH = 59
PRCTL = {"x86_64": 157, "aarch64": 167}[os.uname().machine]

# A filter of struct seccomp_data, whose first word is the call's number and whose fifth its first argument.
LOAD, IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000
rules = [
    (LOAD, 0, 0, 0),
    (IF_EQUAL, 0, 3, PRCTL),
    (LOAD, 0, 0, 16),
    (IF_EQUAL, 0, 1, PR_SET_SYSCALL_USER_DISPATCH),
    (RETURN, 0, 0, FAIL | errno.EINVAL),
    (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
for call in [(PR_SET_NO_NEW_PRIVS, 1, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program))]:
    if libc.prctl(*[ctypes.c_ulong(word) for word in call], ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
        sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
os.execv(sys.argv[1], sys.argv[1:])
