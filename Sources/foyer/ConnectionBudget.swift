import HTTPClient
import HTTPServer

/// How many connections each part of the process may hold.
///
/// As many as usual, or fewer where the system allows fewer descriptors: a
/// process that runs out of them cannot read a file, and libdispatch, which
/// opens one to look at its threads, ends the process when it cannot.
struct ConnectionBudget: Equatable {
    /// Connections to the console.
    let console: Int
    /// Connections to the embedded backend.
    let backend: Int
    /// Calls of backends under way at a time.
    let calls: Int
    /// Connections to backends that are kept for the next call.
    let kept: Int
    /// Descriptors the process may hold.
    let descriptors: Int

    /// For databases, templates, libraries, the runtime, and what a shell
    /// handed down.
    private static let reserve = 192
    /// With fewer for connections a browser or two would fill the console.
    private static let least = 64

    private static let usual = (
        server: ServerConfiguration(port: 0).connectionLimit,
        calls: ClientConfiguration().transferLimit, kept: ClientConfiguration().keptConnections
    )

    /// A call looks its name up through a pair of sockets, and may try two
    /// addresses at once.
    private static let whole = 2 * usual.server + 2 * usual.calls + usual.kept

    init(descriptors: Int) throws(StartError) {
        let free = descriptors - Self.reserve
        guard free >= Self.least else {
            throw StartError(
                "the system lets this process open \(descriptors) files; "
                    + "foyer needs \(Self.reserve + Self.least): raise it with ulimit -n.")
        }
        let share = { (usual: Int) in free >= Self.whole ? usual : max(usual * free / Self.whole, 2)
        }
        console = share(Self.usual.server)
        backend = share(Self.usual.server)
        calls = share(Self.usual.calls)
        kept = share(Self.usual.kept)
        self.descriptors = descriptors
    }

    /// What to say at the start; nil if there is room for as many as usual.
    var note: String? {
        guard console < Self.usual.server else { return nil }
        return "the system lets this process open \(descriptors) files "
            + "(ulimit -n): room for \(console) connections to the console, "
            + "\(backend) to the embedded backend and \(calls) calls at a time."
    }
}
