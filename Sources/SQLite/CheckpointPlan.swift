/// Decides after each commit whether the write-ahead log is to be copied.
///
/// SQLite starts the log over by itself once all of it is copied and nobody
/// reads from it. Under constant reading that moment may not come: then the
/// log is copied in steps, and from a size on readers are waited for.
struct CheckpointPlan {
    enum Step { case passive, truncate }

    /// Pages of 4 KiB after which the log is copied, and again for each as
    /// many more: every copy costs two syncs.
    static let pageInterval = 4_000
    /// Pages from which readers are waited for, to cut the log to nothing.
    static let truncateThreshold = 16_000

    private var nextThreshold = pageInterval
    private var lastPageCount = 0

    /// What to do when the log has `pages` pages.
    mutating func step(pages: Int) -> Step? {
        // It started over.
        if pages < lastPageCount { nextThreshold = Self.pageInterval }
        lastPageCount = pages
        guard pages >= nextThreshold else { return nil }
        // Should this step be in vain, it is not tried at every commit.
        nextThreshold = pages + Self.pageInterval
        return pages >= Self.truncateThreshold ? .truncate : .passive
    }
}
