extension Contract {
    /// Every app's server the embedded backend speaks for.
    static let all: [Blueprint] = [
        MysticaContract.blueprint, BobContract.blueprint, WallContract.blueprint,
        ClarityContract.blueprint, SocotoContract.blueprint,
    ]
}
