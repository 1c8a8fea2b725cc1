import Apps
import Core
import FoundationEssentials
import SQLite
import Web

/// The state to restore an app on a device to.
struct AppStateSnapshot: Sendable {
    let instance: AppInstance
    let app: App
    let persisted: PersistedAppState
    /// Nil for an app in its first state.
    let transientJSON: JSON?
}

extension AppStateSnapshot {
    /// The JSON that is sealed.
    static func makeJSON(
        _ persisted: PersistedAppState, _ transient: TransientAppState, of app: App
    ) -> JSON {
        [
            "app": .string(app.id), "kept": persisted.snapshotJSON,
            "shown": transient.snapshotJSON(of: app),
        ]
    }

    /// Throws a `Problem` if the manifest no longer has the screen.
    init(_ body: JSON, of instance: AppInstance, app: App) throws(Problem) {
        guard let json = body["kept"],
            let persisted = PersistedAppState(snapshotJSON: json, of: instance)
        else {
            throw Problem(
                status: 500, code: "damaged-state", title: "Couldn't read the stored state",
                detail: "It was written by another version. Take another snapshot.")
        }
        guard app.screen(persisted.screen) != nil else {
            throw Problem(
                status: 409, code: "screen-gone", title: "The app no longer has this screen",
                detail: "\(app.name)'s manifest has no screen "
                    + "\(persisted.screen), so this state cannot be restored.")
        }
        self.init(instance: instance, app: app, persisted: persisted, transientJSON: body["shown"])
    }
}

/// The persisted state as one JSON value for snapshots.
extension PersistedAppState {
    var snapshotJSON: JSON {
        [
            "screen": .string(screen), "since": .epochSeconds(screenSince),
            "backend": JSON(backend), "own": customBackendsJSON, "visits": visitsJSON,
            "paths": transitionsJSON, "lastPath": lastTransitionIndex.map { JSON($0) } ?? .null,
            "items": .array(
                items.values.sorted { $0.key < $1.key }.map { item in
                    [
                        "area": .string(item.area.rawValue), "key": .string(item.key),
                        "value": .string(item.value), "isJSON": .bool(item.isJSON),
                        "writtenAt": .epochSeconds(item.writtenAt),
                    ]
                }), "session": session?.snapshotJSON ?? .null,
            "generation": JSON(session?.accessTokenGeneration ?? 0),
        ]
    }

    /// Nil for invalid JSON. The result has no row yet.
    init?(snapshotJSON json: JSON, of instance: AppInstance) {
        guard let screen = json["screen"]?.string, let since = json["since"]?.dateFromSeconds else {
            return nil
        }
        self.init(screen: screen, screenSince: since)
        backend = json["backend"]?.string
        customBackends = Self.parseCustomBackends(json["own"])
        restoreScreens(
            visits: json["visits"], transitions: json["paths"],
            lastTransitionIndex: json["lastPath"]?.int)
        for item in json["items"]?.elements ?? [] {
            guard let key = item["key"]?.string, let value = item["value"]?.string else { continue }
            items[key] = StorageItem(
                area: item["area"]?.string.flatMap(StorageKey.Area.init) ?? .keychain, key: key,
                value: value, isJSON: item["isJSON"]?.bool ?? false,
                writtenAt: item["writtenAt"]?.dateFromSeconds ?? since)
        }
        session = json["session"].flatMap { Session(snapshotJSON: $0, of: instance) }
        session?.accessTokenGeneration = Int(json["generation"]?.int ?? 0)
    }
}

extension Session {
    /// The session's part of a snapshot.
    var snapshotJSON: JSON {
        [
            "id": .string(id), "backend": .string(backend), "userID": JSON(userID),
            "email": JSON(email), "createdAt": .epochSeconds(createdAt),
            "refreshedAt": .epochSeconds(refreshedAt), "refreshCount": JSON(refreshCount),
            "access": accessToken?.snapshotJSON ?? .null,
            "refresh": refreshToken?.snapshotJSON ?? .null,
        ]
    }

    init?(snapshotJSON json: JSON, of instance: AppInstance) {
        guard let id = json["id"]?.string, let created = json["createdAt"]?.dateFromSeconds else {
            return nil
        }
        self.init(
            id: id, workspace: instance.workspace, app: instance.app, device: instance.device,
            backend: json["backend"]?.string ?? "", userID: json["userID"]?.string,
            email: json["email"]?.string, state: .active, createdAt: created,
            refreshedAt: json["refreshedAt"]?.dateFromSeconds,
            refreshCount: Int(json["refreshCount"]?.int ?? 0), endedAt: nil,
            accessToken: json["access"].flatMap(TokenSummary.init(snapshotJSON:)),
            refreshToken: json["refresh"].flatMap(TokenSummary.init(snapshotJSON:)))
    }
}

extension Session.TokenSummary {
    fileprivate var snapshotJSON: JSON {
        ["stored": .string(storedJSON.description), "claims": JSON(claims?.description)]
    }

    fileprivate init?(snapshotJSON json: JSON) {
        guard let stored = json["stored"]?.string else { return nil }
        self.init(storedJSON: stored, claims: json["claims"]?.string)
    }
}

/// The transient state as one JSON value for snapshots, without passwords and running actions.
extension TransientAppState {
    func snapshotJSON(of app: App) -> JSON {
        let secrets = app.passwordFields
        func encode(_ values: [String: JSON]) -> JSON {
            JSON(values.filter { !secrets.contains($0.key) })
        }
        return [
            "held": encode(capturedValues),
            "remembered": encode(rememberedValues.mapValues { encode($0) }),
            "values": encode(fieldValues.mapValues(JSON.string)),
            "fieldErrors": encode(fieldErrors.mapValues(JSON.string)),
            "failure": failure.map { failure in
                [
                    "message": .string(failure.message), "title": JSON(failure.title),
                    "show": .string(failure.presentation.rawValue),
                    "exchange": JSON(failure.exchange),
                ]
            } ?? .null, "notice": JSON(notice),
            "alert": alert.map { alert in
                [
                    "title": JSON(alert.title), "text": .string(alert.text),
                    "ok": .string(alert.buttonLabel), "go": JSON(alert.targetScreen),
                ]
            } ?? .null, "bypass": .bool(isSessionBypassed),
            "answered": .array(completedCalls.sorted().map(JSON.string)),
            "unlocked": .array(unlockedKeys.sorted().map(JSON.string)),
        ]
    }

    /// Restores the state from `json`; the launch id stays.
    mutating func restore(from json: JSON) {
        capturedValues = json["held"]?.members ?? [:]
        rememberedValues = (json["remembered"]?.members ?? [:]).mapValues(\.members)
        fieldValues = json["values"]?.texts ?? [:]
        fieldErrors = json["fieldErrors"]?.texts ?? [:]
        if let failure = json["failure"], failure != .null {
            self.failure = AppStatus.Failure(
                message: failure["message"]?.string ?? "", title: failure["title"]?.string,
                presentation: failure["show"]?.string.flatMap(
                    Action.FailureHandling.Presentation.init) ?? .inline,
                exchange: failure["exchange"]?.string)
        }
        notice = json["notice"]?.string
        if let alert = json["alert"], alert != .null {
            self.alert = AppStatus.Alert(
                title: alert["title"]?.string, text: alert["text"]?.string ?? "",
                buttonLabel: alert["ok"]?.string ?? "", targetScreen: alert["go"]?.string)
        }
        isSessionBypassed = json["bypass"]?.bool ?? false
        completedCalls = Set((json["answered"]?.elements ?? []).compactMap(\.string))
        unlockedKeys = Set((json["unlocked"]?.elements ?? []).compactMap(\.string))
    }
}

extension DeviceStateStore {
    /// Performs `work` while nothing changes these app instances.
    func withLock<Result: Sendable>(on instances: [AppInstance], _ work: () async throws -> Result)
        async rethrows -> Result
    {
        // Always locks in the same order, to avoid deadlocks.
        let instances = instances.sorted { ($0.device, $0.app) < ($1.device, $1.app) }
        for instance in instances { await instanceLock.lock(instance) }
        defer { for instance in instances { instanceLock.unlock(instance) } }
        return try await work()
    }

    /// Restores instances of one device in one transaction, which also ends the restore of
    /// `snapshotID`. The caller holds `withLock(on:)`.
    ///
    /// Every app gets a new launch: its running actions are dropped. `draft` is published first: it
    /// is the cause of the changes' events.
    func restore(
        _ snapshots: [AppStateSnapshot], publishing draft: Event? = nil, cause: Int64? = nil,
        ending snapshotID: String? = nil
    ) async throws {
        var changes: [StateChange] = []
        for target in snapshots {
            changes.append(
                try await prepareChange(target.instance, target.app) { old, new in
                    new = target.persisted
                    new.rowID = old.rowID
                    return SessionChange(
                        restoring: target.persisted.session, from: old, to: &new, app: target.app,
                        at: now(in: target.instance))
                })
        }
        let restored = Dictionary(
            snapshots.map { ($0.instance, (launchID: makeLaunchID(), json: $0.transientJSON)) },
            uniquingKeysWith: { $1 })
        changes = try await commit(
            changes, writingFirst: { if let snapshotID { try RestoreTable.end(snapshotID, $0) } }
        ) { instance, transient in
            guard let (launchID, json) = restored[instance] else { return }
            transient = TransientAppState(launchID: launchID)
            if let json { transient.restore(from: json) }
        }
        for change in changes { sessionChecks.enqueue(change.instance) }
        let event = draft.map { hub.publish($0).id }
        for change in changes { publish(change, restoredBy: event, cause: event ?? cause) }
    }
}
