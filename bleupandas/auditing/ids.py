"""Ids that do not pair the rows of all systems."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.auditing.findings import Findings


def check_ids(findings: Findings, ids: NDArray[np.int64], systems: NDArray[np.int64], wide: bool) -> None:
    """Find ids that are missing, repeated or without a partner.

    Parameters
    ----------
    findings : Findings
    ids, systems : ndarray of shape (n_rows,)
        Numbers for the values, -1 for missing ones.
    wide : bool
        Whether a row has the hypotheses of several systems, so that an id has to be unique in the frame.
    """
    present = ids >= 0
    findings.add("missing id", ~present)
    keys = pd.DataFrame({"id": ids, "system": systems})[present]
    repeated = np.zeros(len(ids), np.bool_)
    repeated[present] = keys.duplicated("id" if wide else ["id", "system"])
    findings.add("duplicate id", repeated)
    if not wide:
        systems_with_id = keys.groupby("id")["system"].nunique()
        alone = np.zeros(len(ids), np.bool_)
        alone[present] = keys["id"].map(systems_with_id).to_numpy() < keys["system"].nunique()
        findings.add("id without partner", alone)
