"""What stops a case without being anybody's score."""


class InfrastructureFault(Exception):
    """Reference material, an operator's input or an instrument is unusable: the case has no score.

    `kind` is a short id that tools can tell apart: `reference`, `operator`, `precondition`, `instrument`, `rubric`.
    """

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind
        self.message = message


class CallFault(Exception):
    """The call is wrong: an input that the rubric does not have, a file that is not there to be written."""
