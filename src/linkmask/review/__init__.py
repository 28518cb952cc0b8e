"""Serves the review page: the owner of a run decides about values, and sees what it costs.

    browser_gate    who may ask: token, cookie, Host, Origin, content policy
    opened_run      the run as the page sees it: entities as columns, the plan, the input
    decisions       what was decided and is not in the plan yet, each step logged and to be undone
    stored_review   the form in which decisions lie in the run; `record` locks and logs them
    exporting       the decisions as a configuration file
    entities the table: search, filters, order, pages corrected the corpus as it would be after
    corrections of values estimates       what a plan would be with the pending decisions documents
    a document before and after, and texts searched for what was missed sampling passages drawn at
    random, and the bound that those read prove visits what changed since a reviewer last signed to
    have seen the run why what links a document to others, drawn; `clusters` of linked documents
    session all of this for one review views pages that are asked for; `forms` that are sent, and
    `actions` on them pages templates → HTML; `app` leads from addresses to views and actions
    serving the page on a free port of this machine

The page is served to this machine alone, and loads nothing from elsewhere.
"""
