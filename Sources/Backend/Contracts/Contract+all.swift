extension Contract {
    /// The contracts of the embedded backend, one per app server.
    static let blueprints: [Blueprint] = [
        MysticaContract.blueprint, BobContract.blueprint, WallContract.blueprint,
        ClarityContract.blueprint, SocotoContract.blueprint,
    ]
}
