"""The sheet: a run, described lazily. Nothing here holds a whole page or a whole answer.

Each module says one kind of thing of a run when it is asked: what a step is, what its cells are called, where a number comes from
and where it goes, how it grows with others, how two runs differ. The API asks for all steps at once (``steps.make_sheet``), a
page for the one that is looked at, an export for what it writes. Only this folder and ``run`` read the record of the computation;
drawings, pages and exports ask the run (``run.steps``) or the sheet.
"""
