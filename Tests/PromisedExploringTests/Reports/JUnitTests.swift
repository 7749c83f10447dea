import PromisedSystem
import Testing

@testable import PromisedExploring
@testable import PromisedReports

@Suite struct JUnitTests {
    @Test("an exploration without a violation is a test case that passes") func passes() {
        #expect(
            Saving.explorer().explore(depth: 2).junit(suite: "A & B", name: "every \"order\"") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites tests="1" failures="0" errors="0" skipped="0">
                  <testsuite name="A &amp; B" tests="1" failures="0" errors="0" skipped="0">
                    <properties>
                      <property name="configurations" value="4"/>
                      <property name="transitions" value="5"/>
                      <property name="inferred transitions" value="0"/>
                      <property name="paths" value="3"/>
                      <property name="steps" value="7"/>
                      <property name="depth" value="2"/>
                    </properties>
                    <testcase classname="A &amp; B" name="every &quot;order&quot;">
                      <system-out>4 configurations, to depth 2; 5 transitions, 0 inferred; 3 paths</system-out>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test("a violation is a failure, with the counterexample as its text") func fails() throws {
        let explorer = Explorer<String, String>(events: ["<\u{1}>"]) { world in
            world.always("no \"<\"\n& no \u{0}") { !$0.contains("<") }
            return System(initialState: "", scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        let text = explorer.explore(depth: 1).junit()
        #expect(text.contains(#"<testsuites tests="1" failures="1" errors="0" skipped="0">"#))
        #expect(
            text.contains(
                """
                      <failure type="no &quot;&lt;&quot;&#10;&amp; no \u{FFFD}" message="&quot;no &quot;&lt;&quot;&#10;&amp; \
                no \u{FFFD}&quot; does not hold after 1 step. It is broken by &lt;\u{FFFD}&gt;.">
                &quot;no &quot;&lt;&quot;
                """))
        #expect(text.contains("    1. .send(&quot;&lt;\\u{01}&gt;&quot;)\n"))
    }

    @Test("an exploration that stopped at its step limit is a failure") func limit() {
        let text = Saving.explorer().explore(depth: 8, .init(stepLimit: 10)).junit()
        #expect(text.contains(#"<failure type="step limit" message="the step limit was reached">"#))
    }

    @Test("whatever fails a check is a failure: every limit, and what was never seen") func others() {
        func text(
            _ options: ExplorationOptions,
            properties: @escaping @Sendable (World<Order.State>) -> Void = { _ in }
        )
            -> String
        {
            let text = Order.explorer(properties: properties).explore(depth: 20, options).junit()
            #expect(text.contains(#"<testsuites tests="1" failures="1""#))
            return text
        }
        #expect(
            text(.init(timeLimit: .zero)).contains(
                #"<failure type="time limit" message="the time limit was reached">"#))
        #expect(
            text(.init(memoryLimit: 0)).contains(
                #"<failure type="memory limit" message="the memory limit was reached">"#))
        let unseen = text(.init()) { $0.sometimes("it is lost") { _ in false } }
        #expect(
            unseen.contains(#"<failure type="never seen" message="&quot;it is lost&quot; was never seen">"#))
    }

    @Test("all counterexamples are in the text of the failure") func all() {
        let found = Order.explorer { world in
            world.always("never failed") { $0 != .failed }
            world.always("never placed") { $0 != .placed }
        }
        .explore(depth: 4, .init(violations: .all))
        let text = found.junit()
        #expect(found.counterexamples.count == 2)
        for counterexample in found.counterexamples {
            #expect(text.contains(Markup.escaped(counterexample.description)))
        }
    }
}
