infix operator <> : AdditionPrecedence
