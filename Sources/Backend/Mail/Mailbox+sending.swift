import Core
import Crypto
import FoundationEssentials
import SQLite

extension Mailbox {
    /// What a transaction has to add so that a mail goes out; sealed before
    /// it begins, because the writer is everybody's.
    struct SealedDraft: Sendable {
        let draft: MailDraft
        fileprivate let sealed: String
        fileprivate let ticket = FaultTicket.current
    }

    /// The place of a mail that went out and was lost.
    static let lostSequence: Int64 = 0

    func seal(_ draft: MailDraft) throws -> SealedDraft {
        SealedDraft(draft: draft, sealed: try sealer.seal(draft.sealableContent))
    }

    /// Puts the mail into the box inside a write, unless the limit holds it;
    /// gives its place there.
    func send(_ envelope: SealedDraft, limit: MailLimit, on connection: Connection) throws -> Int64?
    {
        try connection.send(
            envelope.draft, sealed: envelope.sealed, limit: limit,
            isLost: { envelope.ticket?.triggers(.mailLost) ?? false })
    }

    /// Tells everybody of a mail that was committed at `sequence`; of none
    /// there is nothing to tell.
    func publishSent(_ envelope: SealedDraft, at sequence: Int64?) {
        guard let sequence, sequence != Self.lostSequence else { return }
        let mail = envelope.draft.mail(sequence)
        hub.publish(
            EventDraft(
                workspace: mail.workspace, kind: .mailReceived, app: mail.app, subject: mail.id,
                title: "Mail to \(mail.to): \(mail.subject)",
                details: eventDetails(to: mail.to, purpose: mail.purpose, subject: mail.subject)))
        waiters.notify(of: mail)
    }

    /// Tells everybody that a mail's link or code was used.
    func publishUsed(of challenge: Challenge) {
        guard let mail = challenge.mailID else { return }
        hub.publish(
            EventDraft(
                workspace: challenge.realm.workspace, kind: .mailUsed,
                app: challenge.realm.contract, subject: mail,
                title: "The mail to \(challenge.email) was used",
                details: eventDetails(to: challenge.email, purpose: challenge.purpose.mailPurpose)))
    }

    /// The request that is answered now names the exchange it is for whoever
    /// recorded that.
    private func eventDetails(to address: String, purpose: String, subject: String? = nil)
        -> [String:
        String]
    {
        var facts = ["to": address, "purpose": purpose]
        facts["subject"] = subject
        facts["request"] = CheckTrace.current?.requestID
        return facts
    }
}
