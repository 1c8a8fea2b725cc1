import Web

/// The runs that take the pictures of a set for the console, one at a time.
actor PictureJobs {
    private var jobs: [String: Job] = [:]
    private var tasks: [String: Task<Void, Never>] = [:]

    /// A run, or the last one of an app.
    struct Job: Sendable {
        let app: String
        let title: String
        let total: Int
        var done = 0
        var isRunning = true
        /// What to report after its end: states without pictures, or why it failed.
        var notes: [String] = []
        var hasFailed = false
    }

    /// The running job, or else the last one of the app.
    func job(of app: String) -> Job? { jobs[app] }

    /// Starts `work`, which calls its argument for each finished state. Throws if another job runs.
    func start(
        _ job: Job,
        _ work:
            @escaping @Sendable (_ progress: @escaping @Sendable () -> Void) async -> (
                notes: [String], hasFailed: Bool
            )
    ) throws(Problem) {
        if let running = jobs.values.first(where: \.isRunning) {
            throw Problem(
                status: 409, code: "busy", title: "Pictures are being taken",
                detail: "\(running.title) (\(running.done) of \(running.total)) is not finished. "
                    + "Try again when it is.")
        }
        jobs[job.app] = job
        tasks[job.app] = Task {
            let result = await work { [weak self] in
                Task { await self?.advance(job.app) }
            }
            finish(job.app, result.notes, result.hasFailed)
        }
    }

    /// The app's job after its end.
    func result(of app: String) async -> Job? {
        await tasks[app]?.value
        return jobs[app]
    }

    private func advance(_ app: String) { jobs[app]?.done += 1 }

    private func finish(_ app: String, _ notes: [String], _ hasFailed: Bool) {
        jobs[app]?.isRunning = false
        jobs[app]?.notes = notes
        jobs[app]?.hasFailed = hasFailed
    }
}
