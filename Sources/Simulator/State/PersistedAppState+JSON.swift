import Web

/// The parts that rows and snapshots store as the same JSON.
extension PersistedAppState {
    var visitsJSON: JSON { .array(visits.map { [.string($0.screen), JSON($0.count)] }) }

    var transitionsJSON: JSON {
        .array(transitions.map { [.string($0.from), .string($0.to), JSON($0.count)] })
    }

    mutating func restoreScreens(visits: JSON?, transitions: JSON?, lastTransitionIndex: Int64?) {
        self.visits = (visits?.elements ?? []).map {
            AppStatus.VisitCount(screen: $0[0]?.string ?? "", count: Int($0[1]?.int ?? 0))
        }
        self.transitions = (transitions?.elements ?? []).map {
            Transition(
                from: $0[0]?.string ?? "", to: $0[1]?.string ?? "", count: Int($0[2]?.int ?? 0))
        }
        self.lastTransitionIndex = lastTransitionIndex.map { Int($0) }.flatMap {
            self.transitions.indices.contains($0) ? $0 : nil
        }
    }

    var customBackendsJSON: JSON {
        JSON(
            customBackends.mapValues {
                ["base": JSON($0.baseURL), "settings": JSON($0.settings.mapValues(JSON.string))]
            })
    }

    static func parseCustomBackends(_ json: JSON?) -> [String: CustomBackend] {
        (json?.members ?? [:]).mapValues { backend in
            CustomBackend(
                baseURL: backend["base"]?.string,
                settings: (backend["settings"]?.members ?? [:]).compactMapValues(\.string))
        }
    }
}

extension JSON {
    /// An object with the members in alphabetical order.
    init(_ members: [String: JSON]) {
        self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
    }

    /// An array's elements; empty for another value.
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    /// An object's members; empty for another value.
    var members: [String: JSON] {
        guard case .object(let members) = self else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }
}
