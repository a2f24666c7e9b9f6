"""Fifty texts that would act in some format if it took them as they are, and a program that holds one everywhere."""

from __future__ import annotations

from newel.compiler.program import (
    Case,
    GuardDef,
    KeyDef,
    KindDef,
    Mark,
    Move,
    OperationShape,
    Program,
    SettingDef,
    TriggerDef,
    TypeDef,
    TypeRef,
    Vocabulary,
)
from tests.compiler.exports.boards import asked, both, no, parameter, program, said, step, workflow

TEXTS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)//",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</textarea></pre></details><img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<a href=javascript:alert(1)>here</a>",
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)' autofocus='",
    '"><img src=x onerror=alert(1)>',
    "--><script>alert(1)</script><!--",
    "]]><script>alert(1)</script><![CDATA[",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)",
    "#60;script#62;alert(1)",
    "&amp;quot;&quot;",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//evil.example/x",
    "../../../etc/passwd",
    "..\\..\\windows\\system32",
    "{{7*7}}",
    "{{ ''.__class__.__mro__ }}",
    "{% raw %}{{ self }}{% endraw %}",
    "{# a comment #}",
    "{{ site.__init__.__globals__ }}",
    '"]; end; click step_a href "javascript:alert(1)" %%',
    '%%{init: {"securityLevel": "loose"}}%%',
    'end\nsubgraph evil["x"]\nclick a call alert()',
    '"`**markdown** <b>b</b>`"',
    "A:::start --> B; style A fill:#f00;",
    '"]; evil [shape=none, label=<<IMG SRC="/etc/passwd"/>>]; "',
    '\\N \\G \\E \\l \\" \\',
    "ends with a backslash \\",
    '</TD></TR></TABLE>> URL="javascript:alert(1)" label=<',
    "// a comment\n/* another */ # and one",
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07link\x1b]8;;\x07",
    "\x9b31m\x9d0;title\x9c",
    "nul \x00 bell \x07 back \x08\x7f",
    "\u202eesrever\u202c \u2066isolated\u2069",
    "a\u2028b\u2029c\u0085d",
    "half \ud800 and \udfff, no signs \ufffe\uffff",
    "tag \U000e0041\U000e0042 \ufeff\u200b zero",
)


def board(text: str) -> Program:
    """A program whose every name and text is hostile, but for the name of the workflow, which names a file."""
    mark = (Mark(name=text),)
    vocabulary = Vocabulary(
        types={text: TypeDef(name=text, doc=text, cases=(Case(name=text, fields=(parameter(text, "text"),)),))},
        settings=(
            SettingDef(name="about", owner="step", type=TypeRef(name="text")),
            SettingDef(name=text, owner="step", doc=text, type=TypeRef(name="text"), default=text, marks=mark),
            SettingDef(name=f"prompt{text}", owner="step", type=TypeRef(name="text"), marks=(Mark(name="prompt"),)),
            SettingDef(name=text, owner="workflow", doc=text, type=TypeRef(name=text), marks=mark),
        ),
        triggers={
            text: TriggerDef(name=text, doc=text, moves=True, guarded=True, operations=(OperationShape(shape=text),))
        },
        keys={text: KeyDef(name=text, doc=text, operation=OperationShape(shape=text))},
        guards={text: GuardDef(name=text, doc=text, parameters=(parameter("a", "text"),), marks=mark)},
        kinds={
            text: KindDef(
                name=text, doc=text, parameters=(parameter("a", "text"),), triggers=("enter", text), owner="dispatch"
            ),
            f"x{text}": KindDef(
                name=f"x{text}", doc=text, parameters=(parameter("a", text),), triggers=("enter",), owner="exclude"
            ),
        },
        placeholders=(text,),
    )
    moves = (
        Move(to=text, guard=asked(text, a=text)),
        Move(to=text, approval=True, guard=both(asked(text, a=text), no(asked(text, a=text)))),
    )
    held = {"about": text, text: text, f"prompt{text}": f"{text}\n{text}"}
    enter = (said(text, a=text), said(f"x{text}", a={"case": text, text: text}))
    first = step("first", text, start=True, doc=text, settings=held, on={"enter": enter, text: moves})
    second = step(text, text, end=True, doc=text, settings=held)
    return program(workflow("hostile", text, [first, second], doc=text, settings={text: text}), vocabulary=vocabulary)


def large(text: str) -> Program:
    """A workflow of thirty steps with hostile names and titles, in stages that call themselves so."""
    vocabulary = Vocabulary(
        settings=(SettingDef(name="stage", owner="step", type=TypeRef(name="text")),),
        triggers={"go": TriggerDef(name="go", moves=True)},
        types={},
        keys={},
        guards={},
        kinds={},
    )
    names = ["first", *(f"{text}{number}" for number in range(1, 30))]
    steps = [
        step(name, text, start=name == "first", settings={"stage": f"{text}{at // 10}"}, on={"go": (Move(to=to),)})
        for at, (name, to) in enumerate(zip(names, [*names[1:], "first"], strict=True))
    ]
    return program(workflow("hostile", text, steps), vocabulary=vocabulary)
