/// The columns and rows of a terminal.
package struct ScreenSize: Sendable, Equatable {
    package let columns: Int
    package let rows: Int

    /// A terminal that does not know its size says 0: then it is the customary one. The bounds are beyond any
    /// screen; a size that is set by mistake must not cost a gigabyte.
    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns > 0 ? min(columns, 1000) : 80, rows > 0 ? min(rows, 500) : 24)
    }
}
