extension ScopeLaws {
    /// The laws, by name: "get then set", "set then get", "set twice", "embed then extract", "extract then embed",
    /// "foreign events" and "own events".
    public var all: [Law] { stateLaws + eventLaws + liftingLaws }

    private func with(_ part: Part, _ whole: Whole) -> Whole {
        var whole = whole
        set(&whole, part)
        return whole
    }

    private var stateLaws: [Law] {
        [
            Law("get then set", "setting the current part changes nothing") { random in
                let whole = wholes(&random)
                return .unless(with(get(whole), whole), whole, ["whole": whole])
            },
            Law("set then get", "get returns what was set") { random in
                let (whole, part) = (wholes(&random), parts(&random))
                return .unless(get(with(part, whole)), part, ["whole": whole, "part": part])
            },
            Law("set twice", "the second of two sets replaces the first completely") { random in
                let (whole, first, second) = (wholes(&random), parts(&random), parts(&random))
                return .unless(
                    with(second, with(first, whole)), with(second, whole),
                    ["whole": whole, "first": first, "second": second])
            },
        ]
    }

    private var eventLaws: [Law] {
        [
            Law("embed then extract", "extracting what was embedded gives the same event") { random in
                let event = partEvents(&random)
                guard let embedded = embed(event) else { return nil }
                return .unless(extract(embedded), event, ["event": event])
            },
            Law("extract then embed", "embedding what was extracted gives the same event") { random in
                let event = events(&random)
                guard let embedded = extract(event).flatMap(embed) else { return nil }
                return .unless(embedded, event, ["event": event])
            },
        ]
    }

    private var liftingLaws: [Law] {
        /// Lifts a step that replaces the part, whatever the event is.
        @Sendable func result(_ whole: Whole, _ event: WholeEvent, _ next: Part) -> Whole {
            lifted(whole, event) { _, _ in next }
        }
        return [
            Law("foreign events", "an event that does not belong to the part changes nothing") { random in
                let (whole, event, part) = (wholes(&random), events(&random), parts(&random))
                guard extract(event) == nil else { return nil }
                return .unless(
                    result(whole, event, part), whole, ["whole": whole, "event": event, "part": part])
            },
            Law("own events", "an event of the part sets what the part's step makes of it") { random in
                let (whole, event, part) = (wholes(&random), events(&random), parts(&random))
                guard extract(event) != nil else { return nil }
                return .unless(
                    result(whole, event, part), with(part, whole),
                    ["whole": whole, "event": event, "part": part])
            },
        ]
    }
}
