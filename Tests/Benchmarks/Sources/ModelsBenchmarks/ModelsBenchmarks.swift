@main
enum ModelsBenchmarks {
    static func main() { Benchmarks(lines: Line.all, clocks: "CPU time").main() }
}
