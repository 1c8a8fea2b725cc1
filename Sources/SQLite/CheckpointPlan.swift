/// Decides after each commit whether to checkpoint the write-ahead log.
///
/// SQLite restarts the log by itself once it is copied completely and no reader uses it. Under
/// constant reading that may never happen: then the log is copied in steps, and above a size the
/// checkpoint waits for readers.
struct CheckpointPlan {
    enum Step { case passive, truncate }

    /// Pages of 4 KiB after which the log is copied, and again after each further interval: every
    /// copy costs two syncs.
    static let pageInterval = 4_000
    /// Pages above which the checkpoint waits for readers, to truncate the log.
    static let truncateThreshold = 16_000

    private var nextThreshold = pageInterval
    private var lastPageCount = 0

    /// The checkpoint to perform when the log has `pages` pages.
    mutating func step(pages: Int) -> Step? {
        // The log was restarted.
        if pages < lastPageCount { nextThreshold = Self.pageInterval }
        lastPageCount = pages
        guard pages >= nextThreshold else { return nil }
        // If this checkpoint fails, it is not retried at every commit.
        nextThreshold = pages + Self.pageInterval
        return pages >= Self.truncateThreshold ? .truncate : .passive
    }
}
