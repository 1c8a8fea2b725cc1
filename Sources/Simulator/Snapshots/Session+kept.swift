import FoundationEssentials
import Web

extension Session {
    /// What a state that can be put back says of its session.
    var kept: JSON {
        [
            "id": .string(id), "backend": .string(backend),
            "userID": JSON(userID), "email": JSON(email),
            "createdAt": .seconds(createdAt),
            "refreshedAt": refreshedAt.map(JSON.seconds) ?? .null,
            "refreshCount": JSON(refreshCount), "access": accessToken?.whole ?? .null,
            "refresh": refreshToken?.whole ?? .null,
        ]
    }

    init?(kept json: JSON, of place: Place) {
        guard let id = json["id"]?.string, let created = json["createdAt"]?.date else { return nil }
        self.init(
            id: id, workspace: place.workspace, app: place.app, device: place.device,
            backend: json["backend"]?.string ?? "", userID: json["userID"]?.string,
            email: json["email"]?.string, state: .active, createdAt: created,
            refreshedAt: json["refreshedAt"]?.date,
            refreshCount: Int(json["refreshCount"]?.int ?? 0), endedAt: nil,
            accessToken: json["access"].flatMap(Held.init(whole:)),
            refreshToken: json["refresh"].flatMap(Held.init(whole:)))
    }
}

extension Session.Held {
    fileprivate var whole: JSON {
        ["stored": .string(stored.description), "claims": JSON(claims?.description)]
    }

    fileprivate init?(whole json: JSON) {
        guard let stored = json["stored"]?.string else { return nil }
        self.init(stored: stored, claims: json["claims"]?.string)
    }
}

extension JSON {
    /// Seconds since 1970.
    static func seconds(_ date: Date) -> JSON { .double(date.timeIntervalSince1970) }
}
