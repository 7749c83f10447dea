internal import PromisedTesting

extension Exploration {
    /// The attachments of a test that fails on the counterexample.
    var attachments: [TestReport.Attachment] {
        let diagram = diagram()
        return (counterexample?.attachments ?? []) + [
            .init(name: "diagram.mmd", text: diagram.mermaid),
            .init(name: "report.html", text: html(diagram: diagram)),
        ]
    }
}
