import Synchronization
package import TableSchemas

/// The tables that apps declare, by contract. The first of two with one name counts.
package final class DeclaredTables: Sendable {
    private let read = Mutex<@Sendable (String) -> [TableSchema]> { _ in [] }

    package init() {}

    /// Sets where the tables of a contract are read at every request.
    package func use(_ read: @escaping @Sendable (String) -> [TableSchema]) {
        self.read.withLock { $0 = read }
    }

    /// The tables of a contract, with those of `builtIn` whose names no app uses.
    package func tables(of contract: String, builtIn: [TableSchema]) -> [TableSchema] {
        let read = read.withLock(\.self)
        var names: Set<String> = []
        return (read(contract) + builtIn).filter { names.insert($0.name).inserted }
    }
}
