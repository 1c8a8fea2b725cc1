package import FoundationEssentials

/// Trouble on purpose: what goes wrong, for whose calls, and how often.
///
/// A condition strikes in the order it was made, so many times and not once
/// more, and its name is stamped on every exchange it touched.
package struct Fault: Sendable, Equatable {
    /// `cnd_…`
    package var id: String
    /// Its place in the order of making, which is the order of striking.
    package var sequence: Int64
    package var workspace: String
    /// What it is made of.
    package var draft: Draft
    /// The named set it came with.
    package var presetID: String?
    /// How often it has struck.
    package var appliedCount: Int
    package var createdAt: Date
    /// The exchange it struck last.
    package var lastAffected: AffectedExchange?

    package var kind: Kind { draft.kind }

    /// How often it will strike yet; nil for without end.
    package var remaining: Int? { draft.times.map { max(0, $0 - appliedCount) } }

    /// Whether the backend has done its work when it strikes.
    package enum Phase: String, Sendable, CaseIterable { case before, after }

    /// An exchange it struck.
    package struct AffectedExchange: Sendable, Equatable {
        package var exchangeID: String
        /// `POST /auth/login`, without a query.
        package var call: String
        package var at: Date
    }

    /// Whether it is about this exchange, as far as whose it is goes.
    func applies(to exchangeContext: ExchangeContext) -> Bool {
        workspace == exchangeContext.workspace
            && draft.app.map { $0 == exchangeContext.app } ?? true
            && draft.device.map { $0 == exchangeContext.device } ?? true
            && draft.call.map { $0 == exchangeContext.call } ?? true
    }

    /// What an exchange says of its `number`th strike: `offline, 1 of 3`.
    /// `answered` is what the backend had answered before it was lost.
    func label(ordinal number: Int, originalOutcome: String? = nil) -> String {
        draft.label(ordinal: number, originalOutcome: originalOutcome)
    }
}
