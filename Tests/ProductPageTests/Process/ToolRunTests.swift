import Testing

/// How the tests run the built program.
@Suite struct ToolRunTests {
    @Test("the states of a slow load are left out of runs that take five seconds, and of no others")
    func slowness() {
        let output = "loading\nstill loading\n{\"slow\":true}\nloaded\n"
        #expect(output.withoutSlowness(after: .seconds(4)) == output)
        #expect(output.withoutSlowness(after: .seconds(5)) == "loading\nloaded\n")
    }
}
