extension EmbeddedBackend {
    /// What a client in `workspace` needs to know of each contract.
    package func contractInfos(in workspace: String) -> [ContractInfo] {
        zip(blueprints, contracts).map { blueprint, contract in
            let realm = Realm(workspace: workspace, contract: contract.id)
            return ContractInfo(
                contractID: contract.id, baseURL: context.baseURL(of: realm),
                clientName: blueprint.clientName,
                rootURL: workspace == BackendWorkspaces.mainID && !blueprint.rootPaths.isEmpty
                    ? context.baseURL : nil, clientSettings: contract.clientSettings(realm),
                switches: blueprint.switches.map { featureSwitch in
                    ContractInfo.SwitchState(
                        name: featureSwitch.name, text: featureSwitch.text,
                        isOn: context.switches.isOn(featureSwitch, in: realm))
                })
        }
    }

    /// The ids of all contracts.
    package var contractIDs: [String] { contracts.map(\.id) }

    /// The value of a contract's client setting; nil if it has none of that name.
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
            let featureSwitch = blueprint.switches.first(where: { $0.name == name })
        else { return false }
        try await context.switches.set(
            featureSwitch, isOn: isOn, in: Realm(workspace: workspace, contract: contract))
        return true
    }
}

extension [Contract.Blueprint] {
    /// Contract ids by the first path segment they serve at the root.
    var rootPaths: [String: String] {
        var contractIDs: [String: String] = [:]
        for blueprint in self {
            for segment in blueprint.rootPaths { contractIDs[segment] = blueprint.id }
        }
        return contractIDs
    }
}
