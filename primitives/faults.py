"""The one way in which a primitive says that it cannot do what it was asked."""


class ArgumentFault(ValueError):
    """An argument is unusable. `argument` is the parameter's name; the message says what was found and expected."""

    def __init__(self, argument: str, reason: str):
        super().__init__(f"{argument}: {reason}")
        self.argument = argument
        self.reason = reason


class InstrumentFault(RuntimeError):
    """An external program that a primitive drives is missing or broken, whatever it was given."""
