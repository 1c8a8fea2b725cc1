/// One commit for several writes, each in a savepoint of its own.
///
/// A write that throws undoes only itself. When COMMIT fails, or SQLite ends
/// the transaction by itself (disk full, I/O error), every write in it fails.
struct Batch {
    let handle: Handle

    /// Runs and answers every job.
    func commit(_ jobs: ArraySlice<QueryJob>) {
        var done: [QueryJob] = []
        done.reserveCapacity(jobs.count)
        for job in jobs {
            do {
                if handle.hasNoTransaction { try run("BEGIN IMMEDIATE") }
                try executeInSavepoint(job)
                done.append(job)
            } catch {
                job.fail(error)
                if handle.hasNoTransaction {
                    // What was done before went with the transaction.
                    for job in done { job.fail(error) }
                    done.removeAll(keepingCapacity: true)
                }
            }
        }
        guard !handle.hasNoTransaction else { return }
        do { try run("COMMIT") } catch {
            if !handle.hasNoTransaction { try? run("ROLLBACK") }
            for job in done { job.fail(error) }
            return
        }
        for job in done { job.succeed() }
    }

    /// Runs one job in its savepoint; throws if it has to be undone, and
    /// then it is.
    private func executeInSavepoint(_ job: QueryJob) throws {
        try run("SAVEPOINT job")
        do {
            if job.isReadOnly {
                try withQueryOnly { try job.execute(Connection(handle)) }
            } else {
                try job.execute(Connection(handle))
            }
            guard !handle.hasNoTransaction else { throw transactionEnded }
            // COMMIT would fail for all of them: find the one it is due to.
            guard !handle.hasDeferredViolation else { throw foreignKeyViolation }
            try run("RELEASE job")
        } catch {
            if !handle.hasNoTransaction {
                do {
                    try run("ROLLBACK TO job")
                    try run("RELEASE job")
                } catch { try? run("ROLLBACK") }
            }
            throw error
        }
    }

    /// In memory one connection serves both sides, and a read must be as
    /// unable to write as it is on a reader's connection.
    private func withQueryOnly(_ body: () throws -> Void) throws {
        try run("PRAGMA query_only = 1")
        defer { try? run("PRAGMA query_only = 0") }
        try body()
    }

    private func run(_ sql: StaticSQL) throws(DatabaseError) { try Connection(handle).run(sql) }

    private var transactionEnded: DatabaseError {
        DatabaseError(
            kind: .misuse, detail: "\(handle.path): the transaction ended within a write",
            fix: DatabaseError.Kind.misuse.fix)
    }

    private var foreignKeyViolation: DatabaseError {
        DatabaseError(
            kind: .constraint, detail: "\(handle.path): FOREIGN KEY constraint failed",
            fix: DatabaseError.Kind.constraint.fix)
    }
}
