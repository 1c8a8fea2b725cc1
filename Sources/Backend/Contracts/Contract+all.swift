extension Contract {
    /// Every app's server the embedded backend speaks for.
    static let blueprints: [Blueprint] = [
        MysticaContract.blueprint, BobContract.blueprint, WallContract.blueprint,
        ClarityContract.blueprint, SocotoContract.blueprint,
    ]
}
