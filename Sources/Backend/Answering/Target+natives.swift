import Web

extension Target {
    /// This target where its contract serves it: `/auth/v1/user` at the root
    /// is `/main/atlas/auth/v1/user` if atlas calls `auth` its own.
    func served(_ natives: [String: String]) -> Target {
        guard let first = segments.first, let contract = natives[first] else { return self }
        return below([Workspaces.first, contract])
    }
}
