import Web

extension RequestTarget {
    /// Resolves a path at the root to its contract: `/auth/v1/user` is `/main/atlas/auth/v1/user`
    /// if `auth` is a root path of atlas.
    func resolvingRootPath(_ contractIDs: [String: String]) -> RequestTarget {
        guard let first = segments.first, let contract = contractIDs[first] else { return self }
        return prefixed([BackendWorkspaces.mainID, contract])
    }
}
