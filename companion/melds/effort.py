from .budget import check


def spend(n: int = 1) -> None:
    check()
