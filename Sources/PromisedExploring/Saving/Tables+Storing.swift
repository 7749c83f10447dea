// The tables of a search as bytes. Derived values are not stored.

extension Move: Storable {
    func store(in writer: inout ByteWriter) {
        switch self {
        case .send(let index): writer.write(0, index)
        case .act(let index): writer.write(1, index)
        case .answer(let call, let choice): writer.write(2, call, choice)
        case .tick: writer.write(3)
        case .between: writer.write(4)
        }
    }

    init(from reader: inout ByteReader) throws {
        switch try reader.number() {
        case 0: self = .send(try reader.read())
        case 1: self = .act(try reader.read())
        case 2: self = .answer(try reader.read(), try reader.read())
        case 3: self = .tick
        default: self = .between
        }
    }
}

extension Fingerprint: Storable {
    func store(in writer: inout ByteWriter) { for word in [words.0, words.1] { writer.write(word: word) } }
    init(from reader: inout ByteReader) throws { self.init((try reader.word(), try reader.word())) }
}

extension FingerprintTable: Storable {
    func store(in writer: inout ByteWriter) { writer.write(all) }

    init(from reader: inout ByteReader) throws {
        self.init()
        for fingerprint in try reader.read() as [Fingerprint] { add(fingerprint) }
    }
}

extension RestTable: Storable {
    func store(in writer: inout ByteWriter) {
        writer.write(nodes.count)
        for node in nodes { writer.write(node, Array(self[node] ?? [])) }
    }

    init(from reader: inout ByteReader) throws {
        self.init()
        for _ in 0..<(try reader.count()) {
            let node: Int = try reader.read()
            let numbers: [Int] = try reader.read()
            if let state = numbers.first { add(state, numbers.dropFirst(), of: node) }
        }
    }
}

extension NumberingLog.Assignment: Storable {
    func store(in writer: inout ByteWriter) { writer.write(node, choice, count) }

    init(from reader: inout ByteReader) throws {
        (node, choice, count) = (try reader.read(), try reader.read(), try reader.read())
    }
}

extension NumberingLog: Storable {
    func store(in writer: inout ByteWriter) { writer.write(entries) }
    init(from reader: inout ByteReader) throws { self.init(entries: try reader.read()) }
}

extension FairnessDemands.Obligations: Storable {
    func store(in writer: inout ByteWriter) { writer.write(owed.sorted(), timePasses, calls) }

    init(from reader: inout ByteReader) throws {
        owed = Set(try reader.read() as [Int])
        (timePasses, calls) = (try reader.read(), try reader.read())
    }
}

extension FairnessDemands: Storable {
    func store(in writer: inout ByteWriter) {
        writer.write(properties, nodes, calls.count)
        for (edge, places) in calls.sorted(by: { ($0.key.node, $0.key.choice) < ($1.key.node, $1.key.choice) }
        ) {
            writer.write(edge.node, edge.choice, places)
        }
    }

    init(from reader: inout ByteReader) throws {
        (properties, nodes) = (try reader.read(), try reader.read())
        for _ in 0..<(try reader.count()) {
            let edge = StateGraph.TakenStep(node: try reader.read(), choice: try reader.read())
            calls[edge] = try [Int?](from: &reader)
        }
    }
}

extension SearchStatistics: Storable {
    func store(in writer: inout ByteWriter) {
        writer.write(steps, transitions, inferred, paths, limit?.rawValue)
    }

    init(from reader: inout ByteReader) throws {
        (steps, transitions, inferred) = (try reader.read(), try reader.read(), try reader.read())
        paths = try reader.read()
        limit = try String?(from: &reader).flatMap { Limit(rawValue: $0) }
    }
}

extension CoverageRecord.Call: Storable {
    func store(in writer: inout ByteWriter) { writer.write(name, outcomes, answered.sorted()) }

    init(from reader: inout ByteReader) throws {
        (name, outcomes) = (try reader.read(), try reader.read())
        answered = Set(try reader.read() as [Int])
    }
}
