@main
enum RecordingBenchmarks {
    static func main() {
        Benchmarks(lines: Line.all, clocks: "CPU time of the thread, but wall time in line rw").main()
    }
}
