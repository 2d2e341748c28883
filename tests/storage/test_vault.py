"""The vault: what is sealed opens in its own place only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import StoreFault
from storage import Vault
from storage.vault import Sealed

WORDS = "the canary sings"


@given(st.binary(), st.text(max_size=40))
def test_what_is_sealed_opens_again_for_its_row(plain, row):
    vault = Vault(bytes(32))
    assert vault.open(vault.seal("facts", "text", row, plain), row) == plain


def test_the_same_words_never_look_the_same(vault):
    first, second = (vault.seal_text("facts", "text", "f1", WORDS) for _ in range(2))
    assert first.data != second.data
    assert WORDS.encode() not in first.data


@pytest.mark.parametrize(
    ("table", "column", "row"),
    [("messages", "text", "f1"), ("facts", "details", "f1"), ("facts", "text", "f2")],
)
def test_what_was_moved_to_another_place_does_not_open(vault, table, column, row):
    sealed = vault.seal_text("facts", "text", "f1", WORDS)
    with pytest.raises(StoreFault) as caught:
        vault.open(Sealed(table, column, sealed.data), row)
    assert f"{table}.{column}" in str(caught.value)
    assert row in str(caught.value)
    assert "canary" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("data", [b"", b"short", bytes(40)])
def test_damaged_bytes_do_not_open(vault, data):
    with pytest.raises(StoreFault, match="does not open"):
        vault.open(Sealed("facts", "text", data), "f1")


def test_one_flipped_bit_is_noticed(vault):
    sealed = vault.seal_text("facts", "text", "f1", WORDS)
    for place in range(len(sealed.data)):
        data = bytearray(sealed.data)
        data[place] ^= 1
        with pytest.raises(StoreFault):
            vault.open(Sealed("facts", "text", bytes(data)), "f1")


def test_another_key_opens_nothing(vault):
    with pytest.raises(StoreFault):
        Vault(bytes(32)).open(vault.seal_text("facts", "text", "f1", WORDS), "f1")


def test_neither_key_nor_words_are_shown(vault):
    assert repr(vault) == "Vault(…)"
    assert "data" not in repr(vault.seal_text("facts", "text", "f1", WORDS))


def test_a_key_of_another_length_is_refused():
    with pytest.raises(ValueError, match="32"):
        Vault(b"short")
