extension StateGraph.Vertex: Storable {
    func store(in writer: inout ByteWriter) {
        for number in [moves, finder, findingChoice, next, distance, parent, choice, base, event] {
            writer.write(number: Int(number))
        }
        writer.write(number: targets)
        writer.write(number: isBusy ? 1 : 0)
    }

    init(from reader: inout ByteReader) throws {
        (moves, finder, findingChoice) = (try reader.read(), try reader.read(), try reader.read())
        (next, distance, parent) = (try reader.read(), try reader.read(), try reader.read())
        (choice, base, event) = (try reader.read(), try reader.read(), try reader.read())
        (targets, isBusy) = (try reader.read(), try reader.read())
    }
}

extension StateGraph: Storable {
    func store(in writer: inout ByteWriter) { writer.write(limit, nodes, lists, targets, waiting) }

    init(from reader: inout ByteReader) throws {
        self.init(limit: try reader.read())
        nodes = try reader.read()
        for moves in try reader.read() as [[Move]] { addList(moves) }
        (targets, waiting) = (try reader.read(), try reader.read())
    }
}
