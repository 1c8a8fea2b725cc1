/// Decides after each commit whether the write-ahead log is to be copied.
///
/// SQLite starts the log over by itself once all of it is copied and nobody
/// reads from it. Under constant reading that moment may not come: then the
/// log is copied in steps, and from a size on readers are waited for.
struct CheckpointPlan {
    enum Step { case copy, cut }

    /// Pages of 4 KiB after which the log is copied, and again for each as
    /// many more: every copy costs two syncs.
    static let stride = 4_000
    /// Pages from which readers are waited for, to cut the log to nothing.
    static let longest = 16_000

    private var next = stride
    private var last = 0

    /// What to do when the log has `pages` pages.
    mutating func step(pages: Int) -> Step? {
        // It started over.
        if pages < last { next = Self.stride }
        last = pages
        guard pages >= next else { return nil }
        // Should this step be in vain, it is not tried at every commit.
        next = pages + Self.stride
        return pages >= Self.longest ? .cut : .copy
    }
}
