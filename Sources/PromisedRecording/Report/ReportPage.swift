internal import PromisedReports

/// The page of a recording.
struct ReportPage {
    let title: String
    let recording: Recording
    let data: ReportData

    private static let slowest = 20
    static let problems = 100

    var text: String {
        Page(
            title: title, styles: [ReportStyle.style], scripts: [ReportStyle.script, GraphScript.part],
            content: """
                \(head)
                \(problems)
                <noscript><p class="open">The turns need scripts, which this browser does not run.</p></noscript>
                \(Self.controls)
                <h2>Durations</h2>
                <div class="columns">\(durations)</div>
                <h2>States</h2>
                \(data.visited.keys.sorted().map(states).joined(separator: "\n"))
                \(json)
                """
        ).text
    }

    private var head: String {
        let header = recording.header
        let parts = [
            header.program, header.started.isEmpty ? "" : "recorded at \(header.started)",
            header.mode == "all" ? "" : "mode: \(header.mode)", header.isDebug ? "debug build" : "",
            "turns \(recording.turns.lowerBound) to \(recording.turns.upperBound)",
        ]
        let omitted = data.firstTurn - recording.turns.lowerBound
        return "<p class=\"dim\">\(Markup.escaped(parts.filter { !$0.isEmpty }.joined(separator: " · ")))</p>"
            + (omitted > 0
                ? "<p class=\"open\">The page has no room for the first \(omitted) turns: "
                    + "it has those from turn \(data.firstTurn) on.</p>"
                : "")
    }

    private var problems: String {
        if data.problems.isEmpty { return "" }
        let items = data.problems.prefix(Self.problems).map {
            "<li>Line \($0.line): \(Markup.escaped($0.reason))</li>"
        }
        let count =
            data.problems.count > Self.problems ? "more than \(Self.problems)" : "\(data.problems.count)"
        return "<details><summary class=\"bad\">Lines that cannot be read: \(count)</summary>"
            + "<ul>\(items.joined())</ul></details>"
    }

    private var durations: String {
        func name(_ item: Timeline.Item) -> String {
            "\(item.kind) <code>\(Markup.escaped(item.name))</code>"
        }
        let timed = data.items.filter { $0.kind != .start && $0.kind != .write }
            .compactMap { item in item.duration.map { (item: item, duration: $0) } }.sorted {
                $0.duration > $1.duration
            }
        let groups = Dictionary(grouping: timed) { name($0.item) }.map { name, group in
            (name: name, durations: group.map(\.duration), sum: group.reduce(0) { $0 + $1.duration })
        }
        let slowest = timed.prefix(Self.slowest).map { item, duration in
            [name(item), "<a href=\"#turn\(item.turn)\">\(item.turn)</a>", duration.timeText]
        }
        let byName = groups.sorted { ($0.sum, $1.name) > ($1.sum, $0.name) }.prefix(Self.slowest).map {
            group in
            [
                group.name, "\(group.durations.count)", (group.sum / group.durations.count).timeText,
                group.durations[0].timeText, group.sum.timeText,
            ]
        }
        return Page.table(["slowest", "turn", "duration"], slowest)
            + Page.table(["by name", "count", "mean", "longest", "sum"], byName)
    }

    private func states(of system: Int) -> String {
        let (graph, prefix) = (data.visited[system]?.graph ?? Graph(), "system\(system)-")
        if graph.nodes.isEmpty { return "" }
        let tables = GraphTables(graph, prefix: prefix)
        return "<h3>\(Markup.escaped(data.systems[system]?.name ?? ""))</h3>"
            + GraphPicture.text(of: graph, prefix: prefix) + tables.states()
            + (graph.edges.isEmpty ? "" : tables.transitions)
    }

    private var json: String {
        func element(_ name: String, _ bytes: [UInt8]) -> String {
            "<script type=\"application/json\" id=\"\(name)\">\(String(decoding: bytes, as: UTF8.self))</script>"
        }
        var index: [UInt8] = []
        data.index.writePage(to: &index)
        return element("index", index)
            + data.blocks.enumerated().map { element("block\($0)", $1.json) }.joined(separator: "\n")
    }
}

extension Recording {
    /// The recording as a page of HTML that needs no other file: a timeline, each turn with its events, effects, calls,
    /// states and differences, search, durations, and a diagram of the visited states. It follows the light or dark
    /// scheme of its reader, and can be used by keys and with a screen reader.
    ///
    /// ```swift
    /// func report(on path: String) throws {
    ///     let page = try Recording(contentsOf: path).html(title: "Crash 17")
    ///     try page.write(toFile: "report.html", atomically: true, encoding: .utf8)
    /// }
    /// ```
    ///
    /// The page has the last 50,000 turns, and at most 64 MiB of them. It loads nothing, and no text of the recording
    /// can become a script or markup. All recorded values can be read in it: redact before sharing.
    ///
    /// - Parameter title: The title of the page.
    /// - Complexity: Reads the whole file.
    /// - Throws: A ``RecordingError`` if the file cannot be read any more.
    public func html(title: String = "Recording") throws(RecordingError) -> String {
        ReportPage(title: title, recording: self, data: try ReportData(self)).text
    }
}
