import PromisedSources
import Testing

/// The published design's spelling: subclasses of `SourceOf`, and actions by property wrapper.
@Suite struct PublishedSpellingTests {
    final class Manager: SourceOf<Authentication>, @unchecked Sendable {
        @Action(Manager.logIn, at: \.signedOut?.logIn) private var logInAction
        @Action(Manager.logOut, at: \.signedIn?.logOut) private var logOutAction

        lazy var initialModel = Authentication.signedOut(.init(logIn: logInAction))

        private func logIn(_ password: String) {
            model =
                password == "good"
                ? .signedIn(.init(token: "token", logOut: logOutAction))
                : .signedOut(.init(failure: "wrong", logIn: logInAction))
        }

        private func logOut() { model = .signedOut(.init(logIn: logInAction)) }
    }

    struct Quote: Sendable {
        let quote: String
        let author: String
        let getRandomQuote: Action<Void>
    }

    final class QuoteViewSource: SourceOf<Quote>, @unchecked Sendable {
        @Action(QuoteViewSource.getRandomQuote, at: \.getRandomQuote) private var getRandomQuoteAction

        lazy var initialModel = Quote(quote: "", author: "", getRandomQuote: getRandomQuoteAction)

        override init() {
            super.init()
            getRandomQuote()
        }

        private func getRandomQuote() {
            model = .init(quote: model.quote + "!", author: "Ada", getRandomQuote: getRandomQuoteAction)
        }
    }

    /// With several actions on one method, places by closure, and a name.
    final class Rows: SourceOf<Rows.Model>, @unchecked Sendable {
        struct Model: Sendable {
            var rows: [Int]
            var removal: [Action<Int>]
            var clear: Action<Void>?
            var restart: Action<Void>
        }
        @Action(Rows.remove, at: { $0.removal.first }, name: "remove") var removeAction
        @Action(Rows.clear, at: { $0.clear }) var clearAction
        @Action(Rows.clear, at: \.restart) var restartAction

        lazy var initialModel = Model(
            rows: [1, 2], removal: [removeAction, removeAction], clear: clearAction, restart: restartAction)

        private func remove(_ row: Int) { update { $0.rows.removeAll { $0 == row } } }
        private func clear() {
            update {
                $0.rows = []
                $0.clear = nil
            }
        }
    }

    @Test("SA-17: the published authentication example, action by action")
    func authentication() {
        let (manager, log) = (Manager(), Seen<String>())
        let source = manager.eraseToSource()
        let logIn = source.value.signedOut?.logIn
        logIn?("bad")
        #expect(source.value.signedOut?.failure == "wrong")
        logIn?("good")
        #expect(source.value.signedIn?.token == "token")
        logIn?(
            "good",
            ifUnavailable: {
                log.add("\($0)"); return false
            })
        #expect(log.values == ["the present model of its source does not offer it any more"])
        source.value.signedIn?.logOut()
        #expect(source.value.signedOut?.logIn == logIn)
        #expect(logIn?.description == "Manager.logInAction(String)")
    }

    @Test("the published quote example starts with its first quote")
    func quotes() {
        let source = QuoteViewSource().eraseToSource()
        #expect(source.value.quote == "!")
        source.value.getRandomQuote()
        #expect(source.value.quote == "!!")
    }

    @Test("SA-17: two actions on one method are different ones, and each runs it")
    func places() {
        let rows = Rows()
        #expect(rows.clearAction != rows.restartAction)
        #expect(rows.removeAction.name == "remove")
        rows.model.removal[0](1)
        #expect(rows.model.rows == [2])
        rows.model.restart()
        #expect(rows.model.rows == [])
        #expect(rows.model.clear == nil)
    }

    @Test("SA-24: the actions of two instances differ, and those of one are equal at each read")
    func identity() {
        let (one, other) = (Rows(), Rows())
        #expect(one.clearAction != other.clearAction)
        #expect(one.clearAction == one.clearAction)
        #expect(one.clearAction.hashValue == one.clearAction.hashValue)
    }
}
