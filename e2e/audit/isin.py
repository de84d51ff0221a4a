"""Made-up ISINs with a correct check digit."""


def make_isin(country, number):
    body = f"{country}{number:09d}"
    return body + check_digit(body)


def check_digit(body):
    digits = "".join(str(int(character, 36)) for character in body)
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if index % 2 == 0 else 1)
        total += value // 10 + value % 10
    return str(-total % 10)
