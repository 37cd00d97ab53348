#define _GNU_SOURCE
#include "momu_port.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_sockets = 16, listening = 0x0A };  // TCP_LISTEN in the kernel's net/tcp_states.h

/// Adds the sockets at a port to `inodes`, from a table such as /proc/net/udp; returns their number.
static int find_sockets(const char *table, uint16_t port, bool is_tcp, unsigned long *inodes, int count) {
  FILE *file = fopen(table, "re");
  if (!file) return count;
  char line[512];
  while (count < most_sockets && fgets(line, sizeof line, file)) {
    // sl local:port remote:port state tx:rx timer:when retries user timeout inode
    unsigned local, state;
    unsigned long inode;
    int read = sscanf(line, " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*d %*d %lu", &local,
                      &state, &inode);
    if (read == 3 && local == port && inode != 0 && (!is_tcp || state == listening)) inodes[count++] = inode;
  }
  fclose(file);
  return count;
}

/// Returns whether a process has one of the sockets open.
static bool holds(int process, const unsigned long *inodes, int count) {
  char path[64], link[64];
  snprintf(path, sizeof path, "/proc/%d/fd", process);
  DIR *descriptors = opendir(path);
  if (!descriptors) return false;
  bool found = false;
  struct dirent *entry;
  while (!found && (entry = readdir(descriptors))) {
    ssize_t length = readlinkat(dirfd(descriptors), entry->d_name, link, sizeof link - 1);
    if (length <= 0) continue;
    link[length] = 0;
    unsigned long inode;
    if (sscanf(link, "socket:[%lu]", &inode) != 1) continue;
    for (int index = 0; index < count; index++) found |= inodes[index] == inode;
  }
  closedir(descriptors);
  return found;
}

static void read_name(int process, char name[16]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/comm", process);
  name[0] = 0;
  FILE *file = fopen(path, "re");
  if (!file) return;
  if (fgets(name, 16, file)) name[strcspn(name, "\n")] = 0;
  fclose(file);
}

int momu_port_holder(uint16_t port, bool is_tcp, char name[16]) {
  unsigned long inodes[most_sockets];
  int count = find_sockets(is_tcp ? "/proc/net/tcp" : "/proc/net/udp", port, is_tcp, inodes, 0);
  count = find_sockets(is_tcp ? "/proc/net/tcp6" : "/proc/net/udp6", port, is_tcp, inodes, count);
  // This process first: a forked child that has not called exec yet has all its parent's descriptors.
  int holder = holds(getpid(), inodes, count) ? getpid() : 0;
  DIR *processes = count > 0 ? opendir("/proc") : NULL;
  if (!processes) return 0;
  struct dirent *entry;
  while (holder == 0 && (entry = readdir(processes))) {
    int process = atoi(entry->d_name);
    if (process > 0 && holds(process, inodes, count)) holder = process;
  }
  closedir(processes);
  if (holder > 0) read_name(holder, name);
  return holder;
}
