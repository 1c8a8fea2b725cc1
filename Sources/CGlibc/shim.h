#pragma once

#include <spawn.h>

// GNU extensions of glibc, which its Swift module does not export.

// A spawned process inherits no descriptor from `from` on (posix_spawn_file_actions_addclosefrom_np).
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
