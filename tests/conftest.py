"""A missing part is no reason to pass: in CI a skipped test fails, the emulated board without an image excepted."""

import os

import pytest

EXCEPTED = "BAZZI_UF2"


def _fail(report):
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if EXCEPTED not in reason:
            report.outcome = "failed"
            report.longrepr = f"skipped in CI, where everything has to be there: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Turn a skipped test into a failed one."""
    report = yield
    _fail(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Turn a skipped module into a failed one."""
    report = yield
    _fail(report)
    return report
