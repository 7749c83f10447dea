import PromisedSources
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct ActionTests {
    final class List: StateSource {
        struct Model: Sendable {
            var items: [Int] = []
            var add: Action<Int>
            var clear: Action<Void>
        }
        let state: SourceState<Model>
        init(log: ActionLog? = nil) { state = SourceState(log: log) }
        var initialModel: Model { Model(add: add, clear: clear) }
        var add: Action<Int> { action(List.add, at: \.add) }
        var clear: Action<Void> { action(List.removeAll, at: \.clear) }
        func add(_ item: Int) { update { $0.items.append(item) } }
        private func removeAll() { update { $0.items = [] } }
    }

    @Test("SA-16, SA-17: an action runs its method of its owner before the call returns")
    func calling() {
        let list = List()
        list.model.add(4)
        #expect(list.model.items == [4])
        list.model.clear()
        #expect(list.model.items == [])
    }

    @Test("SA-18, SA-29: an action of an earlier model is not executed, and that is recorded")
    func expired() {
        let log = ActionLog()
        let (auth, problems) = (AuthManager(log: log), Seen<String>())
        let token = log.onProblem { problems.add("\($0)") }
        let source = auth.eraseToSource()
        let logIn = source.value.signedOut?.logIn
        logIn?("bad")
        #expect(source.value.signedOut?.failure == "wrong")
        // The model still offers it.
        logIn?("good")
        #expect(source.value.signedIn?.token == "token")
        logIn?("good")
        #expect(auth.calls.wrappedValue == ["logIn bad", "logIn good"])
        #expect(
            problems.values == [
                "AuthManager.logInAction(good): the present model of its source does not offer it any more"
            ])
        withExtendedLifetime(token) {}
    }

    @Test("SA-19: an action does not keep its source, and is not executed after its release")
    func sourceGone() {
        let (log, problems) = (ActionLog(), Seen<ActionCall>())
        let token = log.onProblem { problems.add($0) }
        var auth: AuthManager? = AuthManager(log: log)
        weak let owner = auth
        let logIn = auth?.model.signedOut?.logIn
        auth = nil
        #expect(owner == nil)
        logIn?("good")
        #expect(problems.values.count == 1)
        if case .sourceGone? = problems.values.first?.problem {} else { Issue.record("\(problems.values)") }
        withExtendedLifetime(token) {}
    }

    @Test("SA-20: the caller is notified once, and decides whether the problem is recorded")
    func ifUnavailable() {
        let (log, problems, calls) = (ActionLog(), Seen<ActionCall>(), Threadsafe(wrappedValue: 0))
        let token = log.onProblem { problems.add($0) }
        let auth = AuthManager(log: log)
        let logIn = auth.logInAction
        logIn("good")
        logIn("good") { problem in
            if case .expired = problem { calls.wrappedValue += 1 }
            return false
        }
        #expect(calls.wrappedValue == 1 && problems.values.isEmpty)
        logIn("good") { _ in true }
        #expect(problems.values.count == 1)
        auth.logOutAction.callAsFunction { _ in
            calls.wrappedValue += 1
            return true
        }
        #expect(calls.wrappedValue == 1)
        withExtendedLifetime(token) {}
    }

    @Test("SA-21: an action that does nothing may be called; a placeholder is a problem")
    func inert() {
        let problems = Seen<String>()
        func note(_ problem: ActionProblem) -> Bool {
            problems.add("\(problem)")
            return false
        }
        Action<Int>.doNothing(1, ifUnavailable: note)
        #expect(problems.values == [])
        Action<Int>.placeholder(1, ifUnavailable: note)
        #expect(problems.values == ["it is a placeholder: use .doNothing for an action that may be called"])
        #expect(Action<Int>.doNothing == .doNothing && Action<Int>.placeholder != .doNothing)
    }

    @Test("SA-22: an action of a closure is always available, and passes on what it throws")
    func closure() {
        struct Failure: Error {}
        let (seen, problems) = (Seen<Int>(), Threadsafe(wrappedValue: 0))
        let action = Action<Int> {
            seen.add($0)
            if $0 == 0 { throw Failure() }
        }
        action(1)
        action(0) { problem in
            if case .failed(let error) = problem, error is Failure { problems.wrappedValue += 1 }
            return false
        }
        #expect(seen.values == [1, 0] && problems.wrappedValue == 1)
        #expect(action == action && action != Action<Int> { _ in })
    }

    @Test("SA-23: a mapped action has another input, and is the same one for all else")
    func mapped() {
        let auth = AuthManager()
        let logIn = auth.model.signedOut?.logIn
        let isGood: Action<Bool>? = logIn?.map { $0 ? "good" : "bad" }
        isGood?(true)
        #expect(auth.model.signedIn != nil)
        isGood?(true) { _ in false }
        #expect(auth.calls.wrappedValue == ["logIn good"])
        #expect(isGood?.map { (text: String) in text == "good" } == logIn)
    }

    @Test("SA-24: actions are equal if they are the same method of the same source")
    func equality() {
        let (one, other) = (List(), List())
        #expect(one.add == one.model.add && one.add.hashValue == one.add.hashValue)
        #expect(one.add != other.add)
        #expect(Set([one.add, other.add, one.add]).count == 2)
    }

    @Test("SA-25: an action describes its source, its name and its input, and is reflected without children")
    func description() {
        let add = List().add
        #expect("\(add)" == "List.add(Int)" && String(reflecting: add) == "Action List.add(Int)")
        #expect(Mirror(reflecting: add).children.isEmpty)
    }

    @Test("SA-27: while nothing listens to the problems of a log, they are reported; then no longer")
    func reported() {
        Reports.begin()
        let (log, name) = (ActionLog(), "gone \(UInt64.random(in: 0 ... .max))")
        var list: List? = List(log: log)
        let add = list.map { list in list.action(List.add, at: \.add, name) }
        list = nil
        add?(1)
        let reports = Reports.about(name)
        #expect(reports.count == 1)
        #expect(
            reports.first?.description.contains("did not succeed: its source has been released") == true)
        let token = log.onProblem { _ in }
        add?(2)
        #expect(Reports.about(name).count == 1)
        withExtendedLifetime(token) {}
    }

    @Test("SA-27: each call is recorded, in order, with its input")
    func records() {
        let (log, calls) = (ActionLog(), Seen<String>())
        let token = log.onCall { calls.add("\($0)") }
        let (list, auth) = (List(log: log), AuthManager(log: log))
        list.model.add(1)
        auth.model.signedOut?.logIn("bad")
        list.model.add(2)
        list.model.clear()
        #expect(
            calls.values == ["List.add(1)", "AuthManager.logInAction(bad)", "List.add(2)", "List.clear()"])
        token.cancel()
        list.model.add(3)
        #expect(calls.values.count == 4)
    }

    @Test("SA-27: a call is recorded before those that its method makes")
    func nestedRecords() {
        final class Pair: StateSource {
            struct Model: Sendable { var outer: Action<Void>, inner: Action<Void> }
            let state: SourceState<Model>
            init(_ log: ActionLog) { state = SourceState(log: log) }
            var initialModel: Model { Model(outer: outer, inner: inner) }
            private var outer: Action<Void> { action(Pair.callInner, at: \.outer) }
            private var inner: Action<Void> { action(Pair.doNothing, at: \.inner) }
            private func callInner() { model.inner() }
            private func doNothing() {}
        }
        let (log, calls) = (ActionLog(), Seen<String>())
        let token = log.onCall { calls.add($0.action) }
        let pair = Pair(log)
        pair.model.outer()
        #expect(calls.values == ["outer", "inner"])
        withExtendedLifetime(token) {}
    }

    @Test("a log does not retain the inputs of the calls", arguments: [true, false])
    func inputs(_ isListening: Bool) {
        final class Picture: Sendable {}
        final class Album: StateSource {
            struct Model: Sendable { var add: Action<Picture> }
            let state: SourceState<Model>
            init(_ log: ActionLog) { state = SourceState(log: log) }
            var initialModel: Model { Model(add: addAction) }
            private var addAction: Action<Picture> { action(Album.add, at: \.add) }
            private func add(_: Picture) {}
        }
        let (log, calls) = (ActionLog(), Seen<String>())
        let token = isListening ? log.onCall { calls.add($0.action) } : nil
        let album = Album(log)
        weak var picture: Picture?
        do {
            let added = Picture()
            picture = added
            album.model.add(added)
        }
        #expect(picture == nil && calls.values == (isListening ? ["addAction"] : []))
        withExtendedLifetime(token) {}
    }

    @Test("an action is available where the model has it: in arrays, in optionals, by copy, in two places")
    func places() {
        final class Rows: StateSource {
            struct Row: Sendable { var id: Int, remove: Action<Void> }
            struct Model: Sendable { var rows: [Row] = [], undo: Action<Void>? }
            let state = SourceState<Model>()
            let removed = Seen<Int>()
            var initialModel: Model {
                Model(rows: (1...3).map { id in Row(id: id, remove: removeAction.map { id }) })
            }
            private var removeAction: Action<Int> {
                action(Rows.remove, at: { (model: Model) -> Action<Void>? in model.rows.first?.remove })
            }
            private var undoAction: Action<Void> { action(Rows.undo, at: \.undo) }
            private func remove(_ id: Int) {
                removed.add(id)
                update {
                    $0.rows.removeAll { $0.id == id }
                    $0.undo = undoAction
                }
            }
            private func undo() { update { $0.undo = nil } }
        }
        let rows = Rows()
        let kept = rows.model
        rows.model.rows[1].remove()
        // A copy of the model is as good, as long as the present one has the action.
        kept.rows[2].remove()
        #expect(rows.removed.values == [2, 3] && rows.model.rows.map(\.id) == [1])
        let undo = rows.model.undo
        undo?()
        #expect(rows.model.undo == nil)
        undo? { _ in false }
        kept.rows[0].remove()
        kept.rows[0].remove { _ in false }
        #expect(rows.removed.values == [2, 3, 1])
    }
}
