"""Serves over HTTP, in linkmask's own form and in those of other tools.

    linkmask serve --run masked.run

`routes` lists every route once. A request passes `app` (address, token, size, time), is decoded by
the type that its route names, and is answered by the route's function; what takes time is done by
the processes of `pool`, each of which holds a `Worker` (`work`). No value of a text reaches a log,
an error or a metric, and a request that fails is answered with an error, never with its text.
"""
