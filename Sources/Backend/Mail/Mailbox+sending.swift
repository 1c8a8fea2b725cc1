import Core
import Crypto
import FoundationEssentials
package import SQLite

extension Mailbox {
    /// A sealed mail for use in a transaction. Sealed before the transaction begins, because all
    /// tasks share the database's one writer.
    package struct SealedDraft: Sendable {
        package let draft: MailDraft
        fileprivate let sealed: String
        fileprivate let ticket = FaultTicket.current
    }

    /// The sequence of a mail that an injected fault dropped.
    static let lostSequence: Int64 = 0

    package func seal(_ draft: MailDraft) throws -> SealedDraft {
        SealedDraft(draft: draft, sealed: try sealer.seal(draft.sealableContent))
    }

    /// Stores the mail inside a write, unless the limit blocks it. Returns its sequence.
    package func send(_ sealedDraft: SealedDraft, limit: MailLimit, on connection: Connection)
        throws
        -> Int64?
    {
        try connection.send(
            sealedDraft.draft, sealed: sealedDraft.sealed, limit: limit,
            isLost: { sealedDraft.ticket?.triggers(.mailLost) ?? false })
    }

    /// Publishes a mail that was committed at `sequence`; has no effect if none was stored.
    package func publishSent(_ sealedDraft: SealedDraft, at sequence: Int64?) {
        guard let sequence, sequence != Self.lostSequence else { return }
        let mail = sealedDraft.draft.mail(sequence)
        hub.publish(
            EventDraft(
                workspace: mail.workspace, kind: .mailReceived, app: mail.app, subject: mail.id,
                title: "Mail to \(mail.to): \(mail.subject)",
                details: eventDetails(to: mail.to, purpose: mail.purpose, subject: mail.subject)))
        waiters.notify(of: mail)
    }

    /// Includes the id of the current request, which leads to the recorded exchange.
    func eventDetails(to address: String, purpose: String, subject: String? = nil)
        -> [String:
        String]
    {
        var details = ["to": address, "purpose": purpose]
        details["subject"] = subject
        details["request"] = CheckTrace.current?.requestID
        return details
    }
}
