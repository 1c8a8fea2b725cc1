import Apps
import FoundationEssentials
import SQLite
import Secrets
import Web

/// The difference between what was kept and what is to be kept, as rows.
struct KeptChange: Sendable {
    let place: Place
    /// Nil if only items or sessions changed.
    private let row: PlaceTable.Stored?
    private let rowID: Int64?
    /// Items to write, secrets sealed.
    private let written: [Item]
    let writtenKeys: [Item]
    let deletedKeys: [Item]
    let sessions: SessionChange
    /// Tokens given up, sealed.
    private let retired: [SealedToken]
    /// The screens, if another or the same is shown anew.
    let isShownAnew: Bool
    /// Ways that were taken by this; putting something back takes none.
    private let taken: [Transition]

    init(
        _ place: Place, from old: Kept, to new: Kept, sessions: SessionChange,
        isRestore: Bool = false, sealer: Sealer
    ) throws(SecretsError) {
        self.place = place
        taken = isRestore ? [] : Transition.between(old, new)
        self.sessions = sessions
        rowID = old.row
        writtenKeys = new.items.values.filter { old.items[$0.key] != $0 }.sorted { $0.key < $1.key }
        deletedKeys = (Array(old.items.values) + old.unreadable.values).filter {
            new.items[$0.key] == nil && new.unreadable[$0.key] == nil
        }.sorted { $0.key < $1.key }
        var sealed: [Item] = []
        for item in writtenKeys {
            var item = item
            if item.area == .keychain { item.value = try sealer.seal(item.value) }
            sealed.append(item)
        }
        written = sealed
        var retired: [SealedToken] = []
        for draft in sessions.retired {
            retired.append(SealedToken(draft: draft, sealed: try sealer.seal(draft.value)))
        }
        self.retired = retired
        isShownAnew = old.visits != new.visits
        let isSame =
            old.row != nil && old.screen == new.screen && old.since == new.since
            && old.backend == new.backend && old.own == new.own
            && old.unreadableOwn == new.unreadableOwn && old.visits == new.visits
            && old.paths == new.paths && old.lastPath == new.lastPath
        row = isSame ? nil : try new.stored(sealer)
    }

    /// Whether there is nothing to write.
    var isEmpty: Bool {
        row == nil && written.isEmpty && deletedKeys.isEmpty && sessions.written.isEmpty
    }

    /// Whether what a session is compared by may be another now.
    var concernsSession: Bool {
        !writtenKeys.isEmpty || !deletedKeys.isEmpty || !sessions.written.isEmpty
    }

    /// Writes all of it at `now`, by the real clock; answers the place's row.
    func write(label: String, at now: Date, _ connection: Connection) throws -> Int64 {
        var id = rowID ?? 0
        if let row { id = try PlaceTable.write(place, row, connection) }
        for item in deletedKeys { try ItemTable.delete(item.key, of: id, connection) }
        for item in written { try ItemTable.write(item, of: id, connection) }
        for (session, generation) in sessions.written {
            try SessionTable.write(session, generation: generation, label: label, connection)
        }
        for (session, moment) in sessions.moments {
            try SessionTable.add(moment, to: session, connection)
        }
        for token in retired { try TokenTable.add(token, connection) }
        try FlowTable.add(taken, in: place, at: now, connection)
        return id
    }
}

extension Kept {
    /// As its row holds it.
    fileprivate func stored(_ sealer: Sealer) throws(SecretsError) -> PlaceTable.Stored {
        let fresh = own.isEmpty ? "" : try sealer.seal(ownJSON.description)
        return PlaceTable.Stored(
            id: row ?? 0, screen: screen, since: since, backend: backend,
            own: unreadableOwn ?? fresh,
            visits: JSON.array(visits.map { [.string($0.screen), JSON($0.count)] }).description,
            paths: JSON.array(paths.map { [.string($0.from), .string($0.to), JSON($0.count)] })
                .description, lastPath: lastPath.map(Int64.init), items: [])
    }

    var ownJSON: JSON {
        .object(
            own.sorted { $0.key < $1.key }.map { id, own in
                JSON.Member(
                    id,
                    [
                        "base": JSON(own.base),
                        "settings": .object(
                            own.settings.sorted { $0.key < $1.key }.map {
                                .init($0.key, .string($0.value))
                            }),
                    ])
            })
    }

    /// Reads a row. What cannot be unsealed is kept as it is; `log` is told.
    init(
        _ stored: PlaceTable.Stored, session: (session: Session, generation: Int)?, sealer: Sealer,
        log: (_ name: String, SecretsError) -> Void
    ) {
        self.init(row: stored.id, screen: stored.screen, since: stored.since)
        backend = stored.backend
        lastPath = stored.lastPath.map(Int.init)
        self.session = session?.session
        generation = session?.generation ?? 0
        for pair in Self.list(stored.visits) {
            visits.append(
                Situation.Visit(screen: pair[0]?.string ?? "", count: Int(pair[1]?.int ?? 0)))
        }
        for triple in Self.list(stored.paths) {
            paths.append(
                Transition(
                    from: triple[0]?.string ?? "", to: triple[1]?.string ?? "",
                    count: Int(triple[2]?.int ?? 0)))
        }
        if !paths.indices.contains(lastPath ?? -1) { lastPath = nil }
        for var item in stored.items {
            do throws(SecretsError) {
                if item.area == .keychain { item.value = try sealer.open(item.value) }
                items[item.key] = item
            } catch {
                unreadable[item.key] = item
                log(item.key, error)
            }
        }
        guard !stored.own.isEmpty else { return }
        do throws(SecretsError) { own = Self.own(try sealer.open(stored.own)) } catch {
            unreadableOwn = stored.own
            log(Self.ownName, error)
        }
    }

    /// What the addresses and settings are called in words.
    private static let ownName = "the backends' addresses and settings"

    /// Throws a `Problem` that names what cannot be read: without it the app
    /// would seem signed out, or call another backend.
    func checkReadable(_ place: Place, _ app: App) throws(Problem) {
        let names = unreadable.keys.sorted() + (unreadableOwn == nil ? [] : [Self.ownName])
        guard names.isEmpty else { throw Problem.unreadable(names, place, app) }
    }

    private static func list(_ text: String) -> [JSON] {
        guard case .array(let elements)? = try? JSON(parsing: text) else { return [] }
        return elements
    }

    static func own(_ text: String) -> [String: OwnBackend] {
        guard case .object(let members)? = try? JSON(parsing: text) else { return [:] }
        var own: [String: OwnBackend] = [:]
        for member in members {
            var backend = OwnBackend(base: member.value["base"]?.string)
            if case .object(let settings)? = member.value["settings"] {
                for setting in settings { backend.settings[setting.name] = setting.value.string }
            }
            own[member.name] = backend
        }
        return own
    }
}
