// Combines reducers, feedbacks and middleware, which are monoids: the left one first, then the right one.
infix operator <> : AdditionPrecedence
