"""Tests that the auditor recomputes explanations, and notices a value that does not follow from its inputs."""

import copy
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from explain import limited, recompute, rounded
from fractions import Fraction


def leaf(name, value):
    return {"name": name, "value": value, "inputs": []}


def node(name, value, rule, *inputs, **more):
    return {"name": name, "value": value, "rule": rule, "inputs": list(inputs), **more}


def problems(tree):
    return recompute(tree, "figure")[1]


class Explanations(unittest.TestCase):
    # 10 shares × 2.12 USD ÷ 1.1646 = 18.20367508157307229950…, as printed with 20 decimals
    INCOME = node("income", "18.20", "sum", node(
        "KO", "18.20367508157307229950", "convert",
        node("product", "21.20", "product", leaf("shares", "10"), leaf("forward_rate", "2.12")),
        leaf("exchange_rate", "1.1646"), leaf("exchange_rate", "1"), decimals=20), decimals=2)

    def test_a_right_tree_has_no_problems(self):
        self.assertEqual(problems(self.INCOME), [])

    def test_one_wrong_digit_is_noticed_wherever_it_is(self):
        for place, value in (((), "18.21"), ((0,), "18.20367508157307229951"), ((0, 0), "21.21"), ((0, 1), "1.1647")):
            tree = copy.deepcopy(self.INCOME)
            at = tree
            for index in place:
                at = at["inputs"][index]
            at["value"] = value
            self.assertTrue(problems(tree), place)

    def test_an_unknown_rule_or_a_missing_input_is_noticed(self):
        self.assertTrue(problems(node("x", "1", "magic", leaf("a", "1"))))
        self.assertTrue(problems(node("x", "2", "quotient", leaf("a", "2"))))
        self.assertTrue(problems(node("x", "2", "quotient", leaf("a", "2"), leaf("b", "0"))))

    def test_numbers_have_a_limited_number_of_digits(self):
        # 2^96 is 79228162514264337593543950336: 29 digits, so that a third has 28 decimals and 26 2/3 has 27.
        self.assertEqual(limited(Fraction(1, 3)), Fraction("0." + "3" * 28))
        self.assertEqual(limited(Fraction(80, 3)), Fraction("26." + "6" * 26 + "7"))
        self.assertEqual(rounded(Fraction("0.125"), 2), Fraction("0.12"))
        self.assertEqual(rounded(Fraction(5, 10**21), 20), Fraction(1, 10**20))

    def test_a_replay_keeps_the_average_cost(self):
        steps = [leaf("buy", "10"), leaf("cost", "105"), leaf("sell", "4"), leaf("return_of_capital", "3"),
                 node("split", "2", "quotient", leaf("new_shares", "2"), leaf("old_shares", "1")), leaf("buy", "2"), leaf("cost", "100")]
        self.assertEqual(problems(node("cost", "160", "replay_cost", *steps)), [])
        self.assertEqual(problems(node("shares", "14", "replay_shares", *steps)), [])
        self.assertTrue(problems(node("cost", "161", "replay_cost", *steps)))

    def test_ties_of_roots_alone_may_go_either_way(self):
        # 1.1^5 = 1.61051
        growth = lambda value: node("growth", value, "growth_per_year", leaf("last", "1.61051"), leaf("first", "1"), leaf("years", "5"))
        self.assertEqual(problems(growth("0.1")), [])
        self.assertTrue(problems(growth("0.100000000000000000000001")))


if __name__ == "__main__":
    unittest.main()
