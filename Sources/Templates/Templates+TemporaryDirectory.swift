extension Templates {
    /// A folder of templates, and under which name it hangs.
    package struct Folder: Sendable, Equatable {
        package var path: String
        /// Comes before every name: with `apps`, the file
        /// `atlas/login.mustache` is `apps/atlas/login`. No slash at its end.
        package var prefix: String

        package init(path: String, prefix: String = "") {
            self.path = path
            self.prefix = prefix
        }
    }
}
