extension Templates {
    /// A folder of templates and the prefix of their names.
    package struct Folder: Sendable, Equatable {
        package var path: String
        /// With `apps`, the file `atlas/login.mustache` is `apps/atlas/login`. No trailing slash.
        package var prefix: String

        package init(path: String, prefix: String = "") {
            self.path = path
            self.prefix = prefix
        }
    }
}
