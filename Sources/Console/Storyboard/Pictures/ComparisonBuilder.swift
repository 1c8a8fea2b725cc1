import Apps
import BrowserCapture
import Core
import Simulator
import Storyboards
import Templates
import Web

/// Builds the compare page: the picture sets of an app, or the differences between two of them
/// (`storyboard/compare`).
struct ComparisonBuilder {
    let app: App
    let taker: PictureTaker
    let sets: PictureSets
    let job: PictureJobs.Job?

    func build(_ query: [String: String], form: Form?, problem: Problem?) async throws
        -> TemplateModel
    {
        let list = sets.list(of: app.id)
        let now = taker.catalog.now
        let model: TemplateModel = [
            "totalText": list.isEmpty ? "No picture sets" : Format.count(list.count, "picture set"),
            "compareURL": Links.comparePictures(app.id),
            "job": job.flatMap { $0.isRunning || !$0.notes.isEmpty ? makeJob($0) : nil },
            "currentAction": Links.currentPictures(app.id),
            "hasChromium": taker.browser.isInstalled, "setsFolder": sets.folder, "appID": app.id,
        ]
        if let name = query["before"]?.nonEmpty {
            let before = try sets.existing(name)
            return model.merging(
                try await makeComparison(name, before, after: query["after"]?.nonEmpty, list))
        }
        let rows = list.map { name, set -> TemplateModel in
            [
                "name": name,
                "count": Format.count(set.files.keys.count { $0.app == app.id }, "picture"),
                "display": set.options.label, "takenAt": set.takenAt?.iso8601,
                "takenText": set.takenAt.map { Format.ago($0, now) },
                "href": Links.url(Links.comparePictures(app.id), [("before", name)]),
                "deleteURL": Links.url(Links.deletePictures(app.id), [("set", name)]),
            ]
        }
        return model.merging([
            "sets": rows, "form": makeForm(form, problem),
        ])
    }

    private func makeJob(_ job: PictureJobs.Job) -> TemplateModel {
        [
            "jobTitle": job.title, "isRunning": job.isRunning, "done": job.done,
            "total": job.total, "notes": job.notes,
            "notesTitle": job.notes.isEmpty
                ? nil
                : job.hasFailed && job.done == 0
                    ? "The pictures were not taken"
                    : Format.count(job.notes.count, "state") + " without a picture",
            "tone": job.hasFailed ? "bad" : "warn",
        ]
    }

    private func makeForm(_ form: Form?, _ problem: Problem?) -> TemplateModel {
        func choices(_ name: String, _ values: [(String, String)]) -> [ChoiceModel] {
            values.map { ChoiceModel(value: $0, label: $1, chosen: form?[name] == $0) }
        }
        let time = Format.dateTime(taker.catalog.now).dropLast(7)
        return [
            "name": form?["name"] ?? String(time.map { $0 == ":" ? "." : $0 }),
            "error": problem?.formMessage,
            "sizes": choices(
                "size", DeviceSizes.all.map { ($0.id, $0.label) } + [("all", "All sizes")]),
            "appearances": app.appearance == .system
                ? choices(
                    "appearance", [("light", "Light"), ("dark", "Dark"), ("both", "Both")]) : [],
            "textSizes": choices(
                "text",
                [
                    (Device.Display.TextSize.default, "Default"), (.extraLarge, "Large"),
                    (.accessibilityLarge, "Largest"),
                ].map { ($0.rawValue, $1) }), "isFullLength": form?["fullLength"] != nil,
        ]
    }

    // MARK: Differences

    private func makeComparison(
        _ name: String, _ before: PictureSet, after other: String?,
        _ list: [(name: String, set: PictureSet)]
    ) async throws -> TemplateModel {
        func choices(_ chosen: String?) -> [ChoiceModel] {
            list.map { ChoiceModel(value: $0.name, label: $0.name, chosen: $0.name == chosen) }
        }
        let after = try taker.compared(name, with: other, of: app)
        let model: TemplateModel = [
            "comparison": [
                "beforeName": name, "beforeSets": choices(name),
                "afterSets": [
                    ChoiceModel(value: "", label: "Current screens", chosen: other == nil)
                ] + choices(other),
                "afterTakenAt": after?.takenAt?.iso8601,
                "afterTakenText": after?.takenAt.map { Format.ago($0, taker.catalog.now) },
                "isCurrent": other == nil, "hasPictures": after != nil,
                "before": before.options.label,
            ] as TemplateModel
        ]
        guard let after, job?.isRunning != true else { return model }
        let comparison = try await taker.compare(before, after, of: app)
        let states = Dictionary(
            taker.catalog.services.storyboardStates(of: app).map {
                ("\($0.screen.id)-\($0.name)", $0)
            }, uniquingKeysWith: { first, _ in first })
        let changed = comparison.items.filter { $0.status != .same }
        return model.merging([
            "summary": comparison.summary, "hasDifferences": !changed.isEmpty,
            "items": changed.map { makeItem($0, states[$0.key.name], name, other) },
            "unchangedText": Format.count(comparison.items(.same).count, "unchanged picture"),
            "unchanged": comparison.items(.same).map { item -> TemplateModel in
                [
                    "title": states[item.key.name]?.fullTitle ?? item.key.name,
                    "href": picture(item.key, of: name), "variant": item.key.variant.label,
                ]
            },
        ])
    }

    private func makeItem(
        _ item: PictureComparison.Item, _ state: StoryboardState?, _ name: String, _ other: String?
    ) -> TemplateModel {
        let key = item.key
        let difference = Links.url(
            Links.pictureDifference(app.id), [("before", name), ("after", other)] + key.items)
        return item.model(
            title: state?.fullTitle ?? key.name,
            href: state.map {
                Links.statePage(
                    $0.id, [("size", key.variant.size), ("appearance", key.variant.appearance)])
            },
            before: item.status == .new ? nil : picture(key, of: name),
            after: item.status == .gone
                ? nil
                : other.map { picture(key, of: $0) }
                    ?? Links.url(Links.storedPicture(app.id), [("for", name)] + key.items),
            difference: item.difference == nil ? nil : difference)
    }

    private func picture(_ key: PictureKey, of set: String) -> String {
        Links.url(Links.storedPicture(app.id), [("set", set)] + key.items)
    }
}

extension PictureTaker {
    /// The set that the set `name` is compared with: `other`, or the last pictures of the current
    /// screens, nil before they are taken.
    func compared(_ name: String, with other: String?, of app: App) throws -> PictureSet? {
        guard let other else { return try sets.current(for: name, app.id) }
        return try sets.existing(other)
    }

    /// Compares two stored sets.
    func compare(_ name: String, with other: String?, of app: App) async throws -> PictureComparison
    {
        guard let before = try sets.set(name),
            let after = try compared(name, with: other, of: app)
        else { throw Problem.unknownPictureSet(name) }
        return try await compare(before, after, of: app)
    }

    func compare(_ before: PictureSet, _ after: PictureSet, of app: App) async throws
        -> PictureComparison
    {
        try await PictureComparison(
            before, after, order: keys(of: [app.id], before.options),
            isIncluded: { $0.app == app.id }
        ) { key, old, new in
            try await cachedDifference(
                [before.version(of: key), after.version(of: key)], old, new)
        }
    }

    /// The numbers of a difference; nil without a browser.
    private func cachedDifference(_ versions: [String], _ before: [UInt8], _ after: [UInt8])
        async throws -> PictureDifference?
    {
        if let known = differences[versions] { return known }
        guard browser.isInstalled else { return nil }
        let found = try await printing { try await difference(before, after) }.withoutPicture
        differences[versions] = found
        return found
    }
}
