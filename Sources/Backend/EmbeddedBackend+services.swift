extension EmbeddedBackend {
    /// Every contract as a client in `workspace` must know it.
    package func services(in workspace: String) -> [Service] {
        zip(blueprints, contracts).map { blueprint, contract in
            let realm = Realm(workspace: workspace, contract: contract.id)
            return Service(
                contract: contract.id, base: premises.base(of: realm), client: blueprint.client,
                root: workspace == Workspaces.first && !blueprint.natives.isEmpty
                    ? premises.base : nil, facts: contract.facts(realm),
                switches: blueprint.switches.map { given in
                    Service.Setting(
                        name: given.name, text: given.text,
                        isOn: premises.switches.isOn(given, in: realm))
                })
        }
    }

    /// The names of all contracts.
    package var contractIDs: [String] { contracts.map(\.id) }

    /// What `contract` says of itself under `name`; nil if nothing.
    package func fact(_ name: String, of contract: String, in workspace: String) -> String? {
        let realm = Realm(workspace: workspace, contract: contract)
        return contracts.first { $0.id == contract }?.facts(realm).first { $0.name == name }?.value
    }

    /// Turns a switch on or off; false if the contract has none of that name.
    package func turn(_ name: String, on isOn: Bool, of contract: String, in workspace: String)
        async throws -> Bool
    {
        guard let blueprint = blueprints.first(where: { $0.id == contract }),
            let given = blueprint.switches.first(where: { $0.name == name })
        else { return false }
        try await premises.switches.turn(
            given, on: isOn, in: Realm(workspace: workspace, contract: contract))
        return true
    }
}

extension [Contract.Blueprint] {
    /// The contract each path at the root belongs to, by first segment.
    var natives: [String: String] {
        var natives: [String: String] = [:]
        for blueprint in self {
            for segment in blueprint.natives { natives[segment] = blueprint.id }
        }
        return natives
    }
}
