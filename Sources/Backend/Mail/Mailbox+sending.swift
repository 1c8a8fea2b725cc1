import FoundationEssentials
import SQLite
import Secrets
import Surroundings

extension Mailbox {
    /// What a transaction has to add so that a mail goes out; sealed before
    /// it begins, because the writer is everybody's.
    struct Envelope: Sendable {
        let draft: MailDraft
        fileprivate let sealed: String
        fileprivate let ticket = Ticket.current
    }

    /// The place of a mail that went out and was lost.
    static let nowhere: Int64 = 0

    func seal(_ draft: MailDraft) throws -> Envelope {
        Envelope(draft: draft, sealed: try sealer.seal(draft.content))
    }

    /// Puts the mail into the box inside a write, unless the limit holds it;
    /// gives its place there.
    func send(_ envelope: Envelope, limit: MailLimit, on connection: Connection) throws -> Int64? {
        try connection.send(
            envelope.draft, sealed: envelope.sealed, limit: limit,
            isLost: { envelope.ticket?.befalls(.mailLost) ?? false })
    }

    /// Tells everybody of a mail that was committed at `sequence`; of none
    /// there is nothing to tell.
    func announce(_ envelope: Envelope, at sequence: Int64?) {
        guard let sequence, sequence != Self.nowhere else { return }
        let mail = envelope.draft.mail(sequence)
        hub.publish(
            EventDraft(
                workspace: mail.workspace, kind: .mail, app: mail.app, subject: mail.id,
                title: "Mail to \(mail.to): \(mail.subject)",
                facts: facts(to: mail.to, purpose: mail.purpose, subject: mail.subject)))
        waiters.tell(of: mail)
    }

    /// Tells everybody that a mail's link or code was used.
    func announceUse(of challenge: Challenge) {
        guard let mail = challenge.mail else { return }
        hub.publish(
            EventDraft(
                workspace: challenge.realm.workspace, kind: .mailUsed,
                app: challenge.realm.contract, subject: mail,
                title: "The mail to \(challenge.email) was used",
                facts: facts(to: challenge.email, purpose: challenge.purpose.word)))
    }

    /// The request that is answered now names the exchange it is for whoever
    /// recorded that.
    private func facts(to address: String, purpose: String, subject: String? = nil) -> [String:
        String]
    {
        var facts = ["to": address, "purpose": purpose]
        facts["subject"] = subject
        facts["request"] = Trail.current?.request
        return facts
    }
}
