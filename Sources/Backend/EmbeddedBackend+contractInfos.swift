extension EmbeddedBackend {
    /// What a client in `workspace` needs to know of each contract.
    package func contractInfos(in workspace: String) -> [ContractInfo] {
        contracts.map { contract in
            let type = type(of: contract)
            let realm = Realm(workspace: workspace, contract: contract.id)
            return ContractInfo(
                contractID: contract.id, baseURL: context.baseURL(of: realm),
                clientName: type.clientName,
                rootURL: workspace == BackendWorkspaces.mainID && !type.rootPaths.isEmpty
                    ? context.baseURL : nil, clientSettings: contract.clientSettings(in: realm),
                switches: type.switches.map { featureSwitch in
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
        return self.contract(contract)?.clientSettings(in: realm).first { $0.name == name }?.value
    }

    /// Turns a switch on or off; false if the contract has none of that name.
    package func setSwitch(_ name: String, isOn: Bool, of contract: String, in workspace: String)
        async throws -> Bool
    {
        guard let type = self.contract(contract).map({ type(of: $0) }),
            let featureSwitch = type.switches.first(where: { $0.name == name })
        else { return false }
        try await context.switches.set(
            featureSwitch, isOn: isOn, in: Realm(workspace: workspace, contract: contract))
        return true
    }
}
