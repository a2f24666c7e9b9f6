"""What `newel check` says: findings written out, one file a format, the formats listed in `registry`.

`report` takes the name of a format; `safe` is for every other text of a user's that reaches a terminal.
"""

from newel.compiler.reports.registry import REPORTS, Report, report
from newel.compiler.reports.results import Results
from newel.compiler.reports.safe import safe

__all__ = ["REPORTS", "Report", "Results", "report", "safe"]
