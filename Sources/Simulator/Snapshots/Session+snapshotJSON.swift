import FoundationEssentials
import Web

extension Session {
    /// The session's part of a snapshot.
    var snapshotJSON: JSON {
        [
            "id": .string(id), "backend": .string(backend),
            "userID": JSON(userID), "email": JSON(email),
            "createdAt": .epochSeconds(createdAt),
            "refreshedAt": refreshedAt.map(JSON.epochSeconds) ?? .null,
            "refreshCount": JSON(refreshCount), "access": accessToken?.snapshotJSON ?? .null,
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

extension JSON {
    /// Seconds since 1970.
    static func epochSeconds(_ date: Date) -> JSON { .double(date.timeIntervalSince1970) }
}
