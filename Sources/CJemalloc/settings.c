// The settings of jemalloc, which reads this variable at its first allocation (jemalloc(3),
// TUNING). Two arenas: the threads' caches serve most allocations, and each arena retains free
// memory of its own (after 100,000 exchanges 70 MB are resident with two, 85 MB with eight). A
// thread returns unused memory to the system after a second, whether or not other threads
// allocate: a body of 32 MB is parsed into millions of small values.
const char *malloc_conf =
    "narenas:2,dirty_decay_ms:1000,muzzy_decay_ms:0,background_thread:true";
