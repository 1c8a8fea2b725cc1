import SQLite
import Secrets
import Surroundings
import Web

/// Its people, made by whoever runs it.
extension EmbeddedBackend {
    /// Somebody just made, and what they sign in with; nil where the contract
    /// asks for no password and none was given.
    package typealias Added = (account: KnownAccount, password: String?)

    /// Makes somebody. What is not said of them is made up.
    ///
    /// Throws a `Problem` that names the field for an address that is none or
    /// taken, for a password the contract does not take, and for a state it
    /// does not know.
    package func addPerson(contract: String, workspace: String, person: Person) async throws
        -> Added
    {
        let (people, realm) = try await opening(contract, workspace)
        let address = try Self.address(person.email ?? "\(madeUpName)@example.com")
        try check(person, people, contract)
        let password = person.password ?? (people.needsPassword ? madeUpPassword : nil)
        var hash: String?
        if let password { hash = try await premises.hasher.hash(password) }
        let account = account(address, hash, person, people, in: realm)
        let isNew = try await writing(in: workspace) { connection in try connection.add(account) }
        guard isNew else { throw Problem.emailTaken(address.text) }
        if let seconds = person.accessTokenTTL {
            try await lives.wish(seconds, of: account.id, in: realm)
        }
        tell(.accountAdded, account.id, realm, "\(address.text) was added")
        guard let known = try await self.account(account.id, workspace: workspace) else {
            throw Problem.unknownAccount(account.id)
        }
        return (known, password)
    }

    /// So many at once may be made.
    package static let mostPeople = 10_000

    /// What came of making many.
    package struct Crowd: Sendable, Equatable {
        /// Fewer than asked for where addresses were taken.
        package var made: Int
        package var firstEmail: String
        package var lastEmail: String
        /// All share it: hashing it is what making somebody costs, so it is
        /// hashed once.
        package var password: String?
    }

    /// Makes many people with one password, `person-1@domain` and on.
    package func addPeople(
        _ count: Int, domain: String, contract: String, workspace: String, person: Person
    ) async throws -> Crowd {
        let (people, realm) = try await opening(contract, workspace)
        try check(person, people, contract)
        guard EmailAddress("person@\(domain)") != nil else {
            throw Problem.wrong("domain", "is no domain mail could go to")
        }
        let password = person.password ?? (people.needsPassword ? madeUpPassword : nil)
        var hash: String?
        if let password { hash = try await premises.hasher.hash(password) }
        let batch = hex(2)
        var accounts: [Account] = []
        for number in 1...max(1, count) {
            let email = "person-\(batch)-\(number)@\(domain)"
            accounts.append(account(try Self.address(email), hash, person, people, in: realm))
        }
        let everybody = accounts
        let made = try await writing(in: workspace) { connection in
            try everybody.filter { try connection.add($0) }.map(\.id)
        }
        if let seconds = person.accessTokenTTL {
            try await lives.wish(seconds, of: made, in: realm)
        }
        tell(
            .accountAdded, nil, realm, "\(made.count) accounts were added",
            ["count": String(made.count)])
        return Crowd(
            made: made.count, firstEmail: everybody.first?.email ?? "",
            lastEmail: everybody.last?.email ?? "", password: password)
    }

    // MARK: What somebody begins with

    private func opening(_ contract: String, _ workspace: String) async throws -> (
        Contract.People, Realm
    ) {
        guard let people = people(of: contract) else {
            let known = contracts.map(\.id).joined(separator: ", ")
            throw Problem.wrong(
                "app",
                "is \(contract.prefix(40)), which has no embedded backend; there are \(known)")
        }
        guard workspaces.contains(workspace) else { throw Problem.unknownWorkspace(workspace) }
        return (people, Realm(workspace: workspace, contract: contract))
    }

    /// A write that fails because its workspace went meanwhile says so.
    private func writing<Value: Sendable>(
        in workspace: String, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do { return try await premises.database.write(body) } catch {
            guard workspaces.contains(workspace) else { throw Problem.unknownWorkspace(workspace) }
            throw error
        }
    }

    private func check(_ person: Person, _ people: Contract.People, _ contract: String)
        throws(Problem)
    {
        if let password = person.password, let objection = people.objection(password) {
            throw .wrong("password", objection)
        }
        if person.displayName != nil, people.name == nil {
            throw .notKnown(
                to: contract, "This server keeps no names of its people; leave it out.",
                at: "displayName")
        }
        if person.state == .locked, case .impossible(let why) = people.rule(.lock) {
            throw .notKnown(to: contract, why, at: "state")
        }
        if let seconds = person.accessTokenTTL, !TokenLives.seconds.contains(seconds) {
            throw .wrong("accessTokenTTL", "can be 1 to 86400 seconds")
        }
    }

    private func account(
        _ address: EmailAddress, _ hash: String?, _ person: Person, _ people: Contract.People,
        in realm: Realm
    ) -> Account {
        let now = premises.now(in: realm)
        let isVerified = person.state != .unverified
        func bare(_ id: String, _ profile: String) -> Account {
            var account = Account(
                id: id, realm: realm, email: address.text, passwordHash: hash, profile: profile,
                createdAt: now)
            if isVerified { account.emailVerifiedAt = now }
            if person.state == .locked {
                account.lockedUntil = now + .seconds(AccountChange.usualLock)
            }
            return account
        }
        let id = Opaque.uuid(premises.world)
        let profile = people.profile(
            Contract.People.Newcomer(
                account: bare(id, "{}"),
                displayName: person.displayName ?? Person.displayName(of: address),
                isVerified: isVerified, now: now))
        return bare(id, profile)
    }

    private static func address(_ text: String) throws(Problem) -> EmailAddress {
        guard let address = EmailAddress(text) else {
            throw .wrong("email", "is no e-mail address")
        }
        return address
    }

    private var madeUpName: String { "person-\(hex(4))" }

    /// Long enough for every contract, with all kinds of characters.
    package var madeUpPassword: String { "Foyer-\(hex(6))" }

    private func hex(_ bytes: Int) -> String {
        String(Opaque.hex(premises.world).prefix(2 * bytes))
    }

    // MARK: Telling

    func tell(
        _ kind: Event.Kind, _ account: String?, _ realm: Realm, _ title: String,
        _ facts: [String: String] = [:]
    ) {
        premises.hub.publish(
            EventDraft(
                workspace: realm.workspace, kind: kind, subject: account, title: title,
                facts: facts.merging(["contract": realm.contract]) { $1 }))
    }
}

extension Problem {
    static func emailTaken(_ email: String) -> Problem {
        Problem(
            status: 409, code: "email-taken", title: "The address has an account already",
            detail: "\(email.prefix(80)) is taken; choose another address.",
            errors: [.init(pointer: "/email", detail: "has an account already")])
    }

    /// A field with a value that cannot be.
    static func wrong(_ field: String, _ detail: String) -> Problem {
        Problem(
            status: 422, code: "invalid-account", title: "Such an account cannot be",
            detail: "/\(field) \(detail).", errors: [.init(pointer: "/\(field)", detail: detail)])
    }

    static func notKnown(to contract: String, _ why: String, at field: String) -> Problem {
        Problem(
            status: 422, code: "not-in-contract",
            title: "The contract \(contract) knows no such thing", detail: why,
            errors: [.init(pointer: "/\(field)", detail: why)])
    }
}
