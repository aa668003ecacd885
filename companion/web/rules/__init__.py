"""The pages of the rules: the book, the judge, house rules, blank sheets."""
