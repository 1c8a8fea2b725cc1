import Inspection
import Simulator
import Templates
import Web

extension SessionComparison {
    /// The table of device, token and server (`sessions/comparison`).
    var model: TemplateModel {
        let fields = fields
        let discrepancies = fields.compactMap(\.discrepancy)
        let checkedAt = sources.lastResponse.map { "Checked \(Format.dateTime($0.at))" }
        // Lists do not count all of them.
        let uncounted = discrepancies.count { !$0.isCounted }
        let uncountedText =
            switch uncounted {
            case 0: ""
            case discrepancies.count: ", not counted in lists"
            default: ", \(uncounted) not counted in lists"
            }
        return [
            "summaryText": discrepancies.isEmpty
                ? "All in sync"
                : "\(discrepancies.count) of \(fields.count) out of sync" + uncountedText,
            "hasDiscrepancies": !discrepancies.isEmpty,
            "deviceNote": sources.isLive ? "Now" : "When it ended",
            "serverNote": sources.serverState != nil
                ? "Checked just now" : checkedAt ?? "Not checked", "rows": fields.map(\.model),
        ]
    }
}

extension ComparedField {
    /// A row of the table.
    var model: TemplateModel {
        let sources: [(Discrepancy.Source, SourceValue)] = [
            (.device, deviceValue), (.token, tokenValue), (.server, serverValue),
        ]
        // The only value that a phone shows of an agreeing field: the one whose display text has
        // more than is compared, if there is one.
        let present = sources.filter { $0.1.content != nil }
        let compactSource =
            (present.last { $0.1.displayText != $0.1.content?.compared } ?? present.last)?.0
        return [
            "fieldID": id, "name": name,
            "cells": sources.map { source, value -> TemplateModel in
                let text = value.displayText
                let isCode = value.content?.isCode ?? false
                return [
                    "sourceName": source.label, "sourceID": source.rawValue,
                    "text": isCode ? Format.truncatedMiddle(text, 22) : text, "fullText": text,
                    "isCode": isCode, "isOutlier": discrepancy?.outlier == source,
                    "isDim": value.content == nil, "isCompactValue": compactSource == source,
                ]
            }, "kind": discrepancy != nil ? "mismatch" : isAgreed ? "agreed" : "single",
            "agrees": isAgreed, "explanation": discrepancy.map { "\($0.explanation) \($0.fix)" },
            "discrepancyKind": discrepancy?.kind.rawValue,
        ]
    }
}
