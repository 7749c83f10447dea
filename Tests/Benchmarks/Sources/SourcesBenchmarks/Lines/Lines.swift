extension Line {
    /// Every line, in the order of the table.
    static let all: [Line] = [set, setOfMany, subscribers, call, callOfMany, read, fresh] + growth
}
