#pragma once
#include <sqlite3.h>

/* sqlite3_db_config is variadic, and Swift imports no variadic functions. */
static inline int foyer_no_checkpoint_on_close(sqlite3 *database) {
    return sqlite3_db_config(
        database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
