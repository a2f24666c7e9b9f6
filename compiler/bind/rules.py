"""The rules whose findings come out of binding, each declared in its own file among the checks."""

from newel.compiler.checks.nw101_unknown_kind import RULE as UNKNOWN_KIND
from newel.compiler.checks.nw102_unknown_trigger import RULE as UNKNOWN_TRIGGER
from newel.compiler.checks.nw103_unknown_step import RULE as UNKNOWN_STEP
from newel.compiler.checks.nw104_unknown_type import RULE as UNKNOWN_TYPE
from newel.compiler.checks.nw105_unknown_setting import RULE as UNKNOWN_SETTING
from newel.compiler.checks.nw106_unknown_guard import RULE as UNKNOWN_GUARD
from newel.compiler.checks.nw107_unknown_workflow import RULE as UNKNOWN_WORKFLOW
from newel.compiler.checks.nw108_unknown_fragment import RULE as UNKNOWN_FRAGMENT
from newel.compiler.checks.nw109_file_not_read import RULE as FILE_NOT_READ
from newel.compiler.checks.nw110_unknown_text import RULE as UNKNOWN_TEXT
from newel.compiler.checks.nw111_file_outside_root import RULE as FILE_OUTSIDE
from newel.compiler.checks.nw112_use_cycle import RULE as USE_CYCLE
from newel.compiler.checks.nw113_include_cycle import RULE as INCLUDE_CYCLE
from newel.compiler.checks.nw114_forbidden_name import RULE as FORBIDDEN_NAME
from newel.compiler.checks.nw115_duplicate_name import RULE as DUPLICATE_NAME
from newel.compiler.checks.nw116_duplicate_step import RULE as DUPLICATE_STEP
from newel.compiler.checks.nw117_duplicate_part import RULE as DUPLICATE_PART
from newel.compiler.checks.nw118_unknown_mark import RULE as UNKNOWN_MARK
from newel.compiler.checks.nw119_misplaced_mark import RULE as MISPLACED_MARK
from newel.compiler.checks.nw120_mark_parameter import RULE as MARK_PARAMETER
from newel.compiler.checks.nw121_unknown_field import RULE as UNKNOWN_FIELD
from newel.compiler.checks.nw122_malformed_shape import RULE as MALFORMED_SHAPE
from newel.compiler.checks.nw123_setting_owner import RULE as SETTING_OWNER
from newel.compiler.checks.nw124_too_large import RULE as TOO_LARGE
from newel.compiler.checks.nw125_nested_text import RULE as NESTED_TEXT
from newel.compiler.checks.nw126_unknown_verb import RULE as UNKNOWN_VERB
from newel.compiler.checks.nw127_unknown_expectation import RULE as UNKNOWN_EXPECTATION
from newel.compiler.checks.nw128_no_task_yet import RULE as NO_TASK_YET
from newel.compiler.checks.nw201_wrong_type import RULE as WRONG_TYPE
from newel.compiler.checks.nw202_missing_argument import RULE as MISSING_ARGUMENT
from newel.compiler.checks.nw203_unknown_argument import RULE as UNKNOWN_ARGUMENT
from newel.compiler.checks.nw204_repeated_argument import RULE as REPEATED_ARGUMENT
from newel.compiler.checks.nw205_out_of_range import RULE as OUT_OF_RANGE
from newel.compiler.checks.nw206_unknown_case import RULE as UNKNOWN_CASE
from newel.compiler.checks.nw207_argument_by_position import RULE as ARGUMENT_BY_POSITION
from newel.compiler.checks.nw208_malformed_type import RULE as MALFORMED_TYPE
from newel.compiler.checks.nw209_recursive_type import RULE as RECURSIVE_TYPE
from newel.compiler.checks.nw210_setting_needs_value import RULE as SETTING_NEEDS_VALUE
from newel.compiler.checks.nw211_repeated_key import RULE as REPEATED_KEY
from newel.compiler.checks.nw212_default_step import RULE as DEFAULT_STEP
from newel.compiler.checks.nw213_extended_record import RULE as EXTENDED_RECORD
from newel.compiler.checks.nw214_missing_setting import RULE as MISSING_SETTING
from newel.compiler.checks.nw401_kind_not_admitted import RULE as KIND_NOT_ADMITTED
from newel.compiler.checks.nw402_guard_not_admitted import RULE as GUARD_NOT_ADMITTED
from newel.compiler.checks.nw403_move_not_admitted import RULE as MOVE_NOT_ADMITTED
from newel.compiler.checks.nw404_condition_not_read import RULE as CONDITION_NOT_READ
from newel.compiler.checks.nw405_repeated_block import RULE as REPEATED_BLOCK
from newel.compiler.checks.nw406_operation_without_field import RULE as SHAPE_WITHOUT_FIELD
from newel.compiler.checks.nw407_setting_said_twice import RULE as SETTING_TWICE
from newel.compiler.checks.nw408_end_point_for_all import RULE as END_FOR_ALL
from newel.compiler.checks.nw410_moves_on_entry import RULE as MOVES_ON_ENTRY

__all__ = [
    "ARGUMENT_BY_POSITION",
    "CONDITION_NOT_READ",
    "DEFAULT_STEP",
    "DUPLICATE_NAME",
    "DUPLICATE_PART",
    "DUPLICATE_STEP",
    "END_FOR_ALL",
    "EXTENDED_RECORD",
    "FILE_NOT_READ",
    "FILE_OUTSIDE",
    "FORBIDDEN_NAME",
    "GUARD_NOT_ADMITTED",
    "INCLUDE_CYCLE",
    "KIND_NOT_ADMITTED",
    "MALFORMED_SHAPE",
    "MALFORMED_TYPE",
    "MARK_PARAMETER",
    "MISPLACED_MARK",
    "MISSING_ARGUMENT",
    "MISSING_SETTING",
    "MOVES_ON_ENTRY",
    "MOVE_NOT_ADMITTED",
    "NESTED_TEXT",
    "NO_TASK_YET",
    "OUT_OF_RANGE",
    "RECURSIVE_TYPE",
    "REPEATED_ARGUMENT",
    "REPEATED_BLOCK",
    "REPEATED_KEY",
    "SETTING_NEEDS_VALUE",
    "SETTING_OWNER",
    "SETTING_TWICE",
    "SHAPE_WITHOUT_FIELD",
    "TOO_LARGE",
    "UNKNOWN_ARGUMENT",
    "UNKNOWN_CASE",
    "UNKNOWN_EXPECTATION",
    "UNKNOWN_FIELD",
    "UNKNOWN_FRAGMENT",
    "UNKNOWN_GUARD",
    "UNKNOWN_KIND",
    "UNKNOWN_MARK",
    "UNKNOWN_SETTING",
    "UNKNOWN_STEP",
    "UNKNOWN_TEXT",
    "UNKNOWN_TRIGGER",
    "UNKNOWN_TYPE",
    "UNKNOWN_VERB",
    "UNKNOWN_WORKFLOW",
    "USE_CYCLE",
    "WRONG_TYPE",
]
