"""NW124: too large. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW124",
    name="too-large",
    severity="error",
    message="{what} too much: the limit is {limit}",
    hint="take some out, or split the workflow",
    why="""\
Pieces that include pieces, and texts that are put into texts, let a short file stand for an endless one. The limits
are far above what a workflow needs, so that a file always compiles in bounded time and space.""",
    wrong="""\
fragment f1 {
  include f2
}

fragment f2 {
  include f3
}

fragment f3 {
  include f4
}

fragment f4 {
  include f5
}

fragment f5 {
  include f6
}

fragment f6 {
  include f7
}

fragment f7 {
  include f8
}

fragment f8 {
  include f9
}

fragment f9 {
  include f10
}

fragment f10 {
  include f11
}

fragment f11 {
  include f12
}

fragment f12 {
  include f13
}

fragment f13 {
  include f14
}

fragment f14 {
  include f15
}

fragment f15 {
  include f16
}

fragment f16 {
  include f17
}

fragment f17 {
  include f18
}

fragment f18 {
  include f19
}

fragment f19 {
  include f20
}

fragment f20 {
  include f21
}

fragment f21 {
  include f22
}

fragment f22 {
  include f23
}

fragment f23 {
  include f24
}

fragment f24 {
  include f25
}

fragment f25 {
  include f26
}

fragment f26 {
  include f27
}

fragment f27 {
  include f28
}

fragment f28 {
  include f29
}

fragment f29 {
  include f30
}

fragment f30 {
  include f31
}

fragment f31 {
  include f32
}

fragment f32 {
  include f33
}

fragment f33 {
  on enter { queue_run(reason="deep") }
}

workflow board "Board" {
  step work "Work" {
    start
    include f1
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
fragment f1 {
  on enter { queue_run(reason="flat") }
}

workflow board "Board" {
  step work "Work" {
    start
    include f1
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
