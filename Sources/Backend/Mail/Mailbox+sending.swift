import Core
import Crypto
import FoundationEssentials
import SQLite

extension Mailbox {
    /// A sealed mail for use in a transaction. Sealed before the transaction begins, because all
    /// tasks share the database's one writer.
    struct SealedDraft: Sendable {
        let draft: MailDraft
        fileprivate let sealed: String
        fileprivate let ticket = FaultTicket.current
    }

    /// The sequence of a mail that an injected fault dropped.
    static let lostSequence: Int64 = 0

    func seal(_ draft: MailDraft) throws -> SealedDraft {
        SealedDraft(draft: draft, sealed: try sealer.seal(draft.sealableContent))
    }

    /// Stores the mail inside a write, unless the limit blocks it. Returns its sequence.
    func send(_ sealedDraft: SealedDraft, limit: MailLimit, on connection: Connection) throws
        -> Int64?
    {
        try connection.send(
            sealedDraft.draft, sealed: sealedDraft.sealed, limit: limit,
            isLost: { sealedDraft.ticket?.triggers(.mailLost) ?? false })
    }

    /// Publishes a mail that was committed at `sequence`; has no effect if none was stored.
    func publishSent(_ sealedDraft: SealedDraft, at sequence: Int64?) {
        guard let sequence, sequence != Self.lostSequence else { return }
        let mail = sealedDraft.draft.mail(sequence)
        hub.publish(
            EventDraft(
                workspace: mail.workspace, kind: .mailReceived, app: mail.app, subject: mail.id,
                title: "Mail to \(mail.to): \(mail.subject)",
                details: eventDetails(to: mail.to, purpose: mail.purpose, subject: mail.subject)))
        waiters.notify(of: mail)
    }

    /// Publishes that a mail's link or code was used.
    func publishUsed(of challenge: Challenge) {
        guard let mailID = challenge.mailID else { return }
        hub.publish(
            EventDraft(
                workspace: challenge.realm.workspace, kind: .mailUsed,
                app: challenge.realm.contract, subject: mailID,
                title: "Mail to \(challenge.email) opened",
                details: eventDetails(to: challenge.email, purpose: challenge.purpose.mailPurpose)))
    }

    /// Includes the id of the current request, which leads to the recorded exchange.
    private func eventDetails(to address: String, purpose: String, subject: String? = nil)
        -> [String:
        String]
    {
        var details = ["to": address, "purpose": purpose]
        details["subject"] = subject
        details["request"] = CheckTrace.current?.requestID
        return details
    }
}
