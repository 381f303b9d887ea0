"""Simulation studies: a declared grid with a seed, on this machine's cores or on a Dask cluster.

`spec` reads the file that declares a study, `kinds` says what can be simulated, `cells` computes
one cell, `run` and `cluster` many, `store` holds the finished ones and `folder` opens it, `report`
shows them, and `command` is ``gdp-explorer study``. A worker imports this package before it limits the threads of NumPy's linear
algebra, so that nothing here may import NumPy.
"""
