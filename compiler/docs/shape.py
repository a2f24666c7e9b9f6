"""The data a template gets: nothing but dictionaries, lists, texts, numbers and flags.

This is the stable interface of templates. `VERSION` grows in its second part when something is added, in its first when
something is renamed, removed or means something else. Every text is plain - not escaped, and free of signs that act -
but `svg`, `whole` and `mermaid` of pictures, which are markup. An `href` is an address relative to the page folder.
"""

from __future__ import annotations

from typing import TypedDict

VERSION = "1.3"


class ChangeView(TypedDict):
    """Something that is another than in the version the documentation was compared with, in the words of `newel diff`.
    `severity` is `error`, `warning` or `note`."""

    code: str
    severity: str
    text: str
    advice: str


class Link(TypedDict):
    """Something that has a place in the documentation."""

    text: str
    href: str


class Item(TypedDict):
    """One statement of a list. A move has `to`; an action has none, and `doc` says what its kind does.

    `position` is that of the whole compiled list, counted from 0, as histories and audits name it.
    """

    position: int
    code: str
    href: str
    doc: str
    to: Link | None
    when: str
    approval: bool


class Listed(TypedDict):
    """What runs under one trigger, in order. `signal` where it runs only once whoever works here has signalled."""

    trigger: Link
    doc: str
    signal: bool
    statements: list[Item]


class Entry(TypedDict):
    """What runs on entry: from the arrival itself, and by the arriving session."""

    dispatched: list[Item]
    session: list[Item]


class Way(TypedDict):
    """A way between two steps. `trigger` is None for a pull; `signal` where it is taken only once whoever works at the
    step it leads away from has signalled."""

    step: Link
    trigger: Link | None
    when: str
    approval: bool
    signal: bool


class Setting(TypedDict):
    """A setting with its value as it could be written; `given` where it is not the default."""

    name: str
    href: str
    doc: str
    value: str
    given: bool


class Prompt(TypedDict):
    """A text someone is started with, or another of several lines."""

    name: str
    href: str
    text: str


class ByHand(TypedDict):
    """Where a person may move a task: `to` is `none`, `any`, `these` or `any_but` (the steps in `steps`), or `many`,
    where both lists would be long: then the steps say it of themselves."""

    to: str
    steps: list[Link]


class StepView(TypedDict):
    """A step. `by_hand` whether a person may move a task here, `hand_out` where a person may move it from here.
    `included` are the fragments that some of it comes from."""

    name: str
    title: str
    anchor: str
    start: bool
    end: bool
    doc: str
    about: str
    entry: Entry
    lists: list[Listed]
    ways_in: list[Way]
    by_hand: bool
    ways_out: list[Way]
    hand_out: ByHand
    settings: list[Setting]
    prompts: list[Prompt]
    changes: list[ChangeView]
    included: list[Link]


class StagePicture(TypedDict):
    """The picture of a stage. `anchor` is the id that links to it lead to, `steps` how many it has, `links` which."""

    title: str
    anchor: str
    steps: int
    links: list[Link]
    svg: str
    mermaid: str
    width: int
    note: str


class Picture(TypedDict):
    """The picture: in HTML an SVG element, in Markdown the text of a Mermaid flowchart. Both are "" where there is
    none: then there is a note. `width` in pixels; `looks` names those of the arrows: automatic, guarded, approval,
    pull, and between where boxes stand for steps that are drawn elsewhere. In large workflows the picture is an
    overview, and `stages` has a picture for each of its stages. In HTML `file` is the file beside the page with the
    whole picture alone, and `whole` is what stands in it."""

    svg: str
    mermaid: str
    width: int
    looks: list[str]
    note: str
    file: str
    whole: str
    stages: list[StagePicture]


class WorkflowView(TypedDict):
    """A workflow and its page."""

    name: str
    title: str
    page: str
    doc: str
    about: str
    file: str
    start: Link
    ends: list[Link]
    picture: Picture
    settings: list[Setting]
    prompts: list[Prompt]
    steps: list[StepView]
    changes: list[ChangeView]


class ParameterView(TypedDict):
    """A parameter, field or payload field; `default` is "" where there is none."""

    name: str
    type: str
    required: bool
    default: str


class Declaration(TypedDict):
    """A declaration of the vocabulary.

    `owner` is `dispatched` or `session` for a kind that may stand on entry, else "".
    `lines` are the shapes of a trigger's operation ids, or the cases of a type. `stands` are the triggers under which
    it may stand, `means` what each of its `marks` says in words, `used` the steps that use it: of a
    setting those, and workflows, where it is another than its default.
    """

    name: str
    anchor: str
    code: str
    doc: str
    owner: str
    parameters: list[ParameterView]
    lines: list[str]
    stands: list[Link]
    marks: list[str]
    means: list[str]
    used: list[Link]


class VocabularyView(TypedDict):
    """All declarations, by name; settings in the order of the files. What is put in where it is used is told where
    the files are at hand, else empty: fragments, shared texts, groups of triggers, and in `filled` the placeholders."""

    page: str
    kinds: list[Declaration]
    triggers: list[Declaration]
    guards: list[Declaration]
    settings: list[Declaration]
    types: list[Declaration]
    operation_ids: list[Declaration]
    placeholders: list[str]
    fragments: list[Declaration]
    texts: list[Declaration]
    groups: list[Declaration]
    filled: list[Declaration]


class Site(TypedDict):
    """Everything. `version` is that of this data. `compared` where an older version was given: `changes` are then those
    that belong to no workflow that is left. `more` are the pages made from templates of the user's own."""

    version: str
    revision: str
    form: str
    index: str
    more: list[Link]
    compared: bool
    changes: list[ChangeView]
    workflows: list[WorkflowView]
    vocabulary: VocabularyView
