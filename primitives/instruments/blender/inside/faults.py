"""What can be wrong with a project, in words."""


class ProjectFault(Exception):
    """The project cannot do what was asked of it; the message says why."""
