#include "include/mustache_shim.h"
