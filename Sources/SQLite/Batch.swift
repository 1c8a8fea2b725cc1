/// One commit for several writes, each in its own savepoint.
///
/// A write that throws undoes only itself. When COMMIT fails, or SQLite ends the transaction by
/// itself (disk full, I/O error), every write in it fails.
struct Batch {
    let handle: Handle

    /// Runs every job and resumes its caller.
    func commit(_ jobs: ArraySlice<QueryJob>) {
        var executed: [(job: QueryJob, resume: () -> Void)] = []
        executed.reserveCapacity(jobs.count)
        for job in jobs {
            do {
                if handle.hasNoTransaction { try run("BEGIN IMMEDIATE") }
                executed.append((job, try executeInSavepoint(job)))
            } catch {
                job.fail(error)
                if handle.hasNoTransaction {
                    // The earlier writes were rolled back with the transaction.
                    for (job, _) in executed { job.fail(error) }
                    executed.removeAll(keepingCapacity: true)
                }
            }
        }
        guard !handle.hasNoTransaction else { return }
        do { try run("COMMIT") } catch {
            if !handle.hasNoTransaction { try? run("ROLLBACK") }
            for (job, _) in executed { job.fail(error) }
            return
        }
        for (_, resume) in executed { resume() }
    }

    /// Runs one job in its savepoint; throws after undoing it if it fails.
    private func executeInSavepoint(_ job: QueryJob) throws -> () -> Void {
        try run("SAVEPOINT job")
        do {
            // An in-memory database has one connection for reads and writes, and a read must be as
            // unable to write as it is on a reader's connection.
            if job.isReadOnly { try run("PRAGMA query_only = 1") }
            defer { if job.isReadOnly { try? run("PRAGMA query_only = 0") } }
            let resume = try job.run(Connection(handle))
            guard !handle.hasNoTransaction else {
                throw DatabaseError(
                    kind: .misuse, detail: "\(handle.path): the transaction ended within a write")
            }
            // COMMIT would fail for all jobs, so the violation is attributed to its job.
            guard !handle.hasDeferredViolation else {
                throw DatabaseError(
                    kind: .constraint, detail: "\(handle.path): FOREIGN KEY constraint failed")
            }
            try run("RELEASE job")
            return resume
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

    private func run(_ sql: StaticSQL) throws(DatabaseError) { try Connection(handle).run(sql) }
}
