extension EmbeddedBackend {
    /// Every contract as a client in `workspace` must know it.
    package func contractInfos(in workspace: String) -> [ContractInfo] {
        zip(blueprints, contracts).map { blueprint, contract in
            let realm = Realm(workspace: workspace, contract: contract.id)
            return ContractInfo(
                contractID: contract.id, baseURL: context.baseURL(of: realm),
                clientName: blueprint.clientName,
                rootURL: workspace == BackendWorkspaces.mainID && !blueprint.rootPaths.isEmpty
                    ? context.baseURL : nil, clientSettings: contract.clientSettings(realm),
                switches: blueprint.switches.map { given in
                    ContractInfo.SwitchState(
                        name: given.name, text: given.text,
                        isOn: context.switches.isOn(given, in: realm))
                })
        }
    }

    /// The names of all contracts.
    package var contractIDs: [String] { contracts.map(\.id) }

    /// What `contract` says of itself under `name`; nil if nothing.
    package func clientSetting(_ name: String, of contract: String, in workspace: String) -> String?
    {
        let realm = Realm(workspace: workspace, contract: contract)
        return contracts.first { $0.id == contract }?.clientSettings(realm).first {
            $0.name == name
        }?.value
    }

    /// Turns a switch on or off; false if the contract has none of that name.
    package func setSwitch(
        _ name: String, isOn: Bool, of contract: String, in workspace: String
    )
        async throws -> Bool
    {
        guard let blueprint = blueprints.first(where: { $0.id == contract }),
            let given = blueprint.switches.first(where: { $0.name == name })
        else { return false }
        try await context.switches.set(
            given, isOn: isOn, in: Realm(workspace: workspace, contract: contract))
        return true
    }
}

extension [Contract.Blueprint] {
    /// The contract each path at the root belongs to, by first segment.
    var rootPaths: [String: String] {
        var natives: [String: String] = [:]
        for blueprint in self {
            for segment in blueprint.rootPaths { natives[segment] = blueprint.id }
        }
        return natives
    }
}
