@main
enum SourcesBenchmarks {
    static func main() { Benchmarks(lines: Line.all, clocks: "CPU time").main() }
}
