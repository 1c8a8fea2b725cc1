import Web

extension RequestTarget {
    /// This target where its contract serves it: `/auth/v1/user` at the root
    /// is `/main/atlas/auth/v1/user` if atlas calls `auth` its own.
    func resolvingRootPath(_ natives: [String: String]) -> RequestTarget {
        guard let first = segments.first, let contract = natives[first] else { return self }
        return prefixed([BackendWorkspaces.mainID, contract])
    }
}
