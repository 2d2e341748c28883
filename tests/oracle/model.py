"""The privacy model a second time: naive, slow, set by set, straight from the equations of the specification.

It shares the *data* with the engine (the frozen values of `engine/items.py` and `engine/policy.py`) and none of its
logic: no method of a label, a policy or an audience is called here. Everything is a set of persons, found by
asking each person of a small universe in turn: every contact, everybody named anywhere, the owner, and one stranger who
stands for all the rest. `U` is simply that universe.

Where the papers or the specification leave a choice, the reading taken is the one that tells less, and is marked READING.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from engine.audience import Audience
from engine.ids import OWNER, STRANGER, FactId, PersonId
from engine.items import Basis, Colour, Confidence, ListEntry, Origin, RawFact, RawLink, RawMessage
from engine.policy import Category, Policy, ReleaseSetting
from engine.viewers import FutureReaders

Label = tuple[int, str | None]
People = frozenset[PersonId]
ZERO: Label = (0, None)


@dataclass(frozen=True)
class Answer:
    """A verdict with the step of the model that decided it."""

    allow: bool
    step: str


def conj(a: Label, b: Label) -> Label:
    """`a & b`, (B.4): three branches, the second over the third."""
    if a[0] == 0 or b[0] == 0:
        return ZERO
    if a[1] is not None and b[1] is not None and a[1] != b[1]:
        return ZERO
    return min(a, b, key=lambda label: label[0])


def ceil(labels: list[Label]) -> Label:
    """`Ceil`, (B.5); there is no ceiling of nothing."""
    result, *rest = labels
    for label in rest:
        result = conj(result, label)
    return result


@dataclass(frozen=True)
class Here:
    """Who can read a container now, and whether later members can."""

    viewers: Audience
    container: str
    future: FutureReaders = FutureReaders.NONE
    consented: bool = False


class Model:
    """One policy over one universe of persons."""

    def __init__(
        self, policy: Policy, facts: Iterable[RawFact] = (), others: Iterable[PersonId] = ()
    ) -> None:
        self.policy = policy
        named = {OWNER, STRANGER, *policy.contacts, *others}
        for f in facts:
            named |= {f.teller, *f.audience.members, *f.event.tellers}
            named |= {e.person for e in f.lists if e.person is not None}
        self.U: People = frozenset(named)
        top, domains = policy.lattice.depth, policy.lattice.domains
        self.LN: Label = (top, None)
        self.defined = {ZERO, (top - 1, None), self.LN} | {(i, d) for i in range(1, top - 1) for d in domains}

    # sets of persons

    def persons(self, audience: Audience) -> People:
        """An audience as a set; `U` is everybody here."""
        return self.U if audience.everyone else frozenset(audience.members) | {OWNER}

    def labels_held(self, r: PersonId, said_at: datetime | None) -> set[Label]:
        """What a contact holds, for a fact said then (None: for any fact); an undefined label is nothing on a contact."""
        return {
            (h.label.depth, h.label.domain)
            for h in self.policy.contacts.get(r, ())
            if (said_at is None or h.since is None or said_at >= h.since)
        } & self.defined

    def stranger(self, r: PersonId) -> bool:
        """Holds no label at all. READING: a contact without a label is a stranger in every respect."""
        return r != OWNER and not self.labels_held(r, None)

    def R(self, label: Label, said_at: datetime) -> People:  # noqa: N802 - as in the papers
        """`R^ℓ`: the owner and each contact with a label `c` such that `c & ℓ = c`; `R^{LN} = U`."""
        if label == self.LN:
            return self.U
        holders = {
            r for r in self.U if any(c != ZERO and conj(c, label) == c for c in self.labels_held(r, said_at))
        }
        return frozenset(holders | {OWNER})

    # labels of a fact

    def labels_of(self, category: Category, said_at: datetime) -> list[Label]:
        """A category's labels for a fact said then; an undefined label is `L0` on a fact."""
        labels = category.labels
        for until, before in sorted(category.past, key=lambda segment: segment[0], reverse=True):
            if said_at < until:
                labels = before
        return [
            pair if pair in self.defined else ZERO for pair in ((ell.depth, ell.domain) for ell in labels)
        ]

    def category(self, name: str | None) -> Category | None:
        found = [c for c in self.policy.categories if c.name == name]
        return found[0] if found else None

    def labels(self, f: RawFact) -> list[Label]:
        """The labels of a fact: one category's; the ceiling of all if several match; `L0` of none.

        READING: confidential (nobody in particular is named) is `L0`: whoever heard it has heard it, nobody else does.
        """
        if f.confidential or f.event.confidential or f.cover:
            return [ZERO]
        if f.category is None:
            return [self.LN] if f.audience.everyone else [ZERO]
        names = {f.category}
        if not any(
            s.annotator is Confidence.OWNER for s in f.suggestions
        ):  # owner commands override annotation
            names |= {s.category for s in f.suggestions if s.confidence >= self.policy.rho}
        matches = [self.category(name) for name in names]
        found = [self.labels_of(c, f.said_at) if c is not None else [ZERO] for c in matches]
        return found[0] if len(found) == 1 else [ceil([ceil(labels) for labels in found])]

    def X(self, f: RawFact) -> People:  # noqa: N802
        """`X(f) = ∪ R^{ℓᵢ}`, (B.2)."""
        return frozenset().union(*(self.R(label, f.said_at) for label in self.labels(f)))

    # lists

    def against(self, f: RawFact, r: PersonId) -> list[ListEntry]:
        """Black entries on a person that bind: the owner's, and a teller's about what that person told."""
        about = [e for e in f.lists if e.colour is Colour.BLACK and e.person in (r, None)]
        return [e for e in about if e.set_by in (OWNER, f.teller)]

    def shared(self, f: RawFact, r: PersonId) -> bool:
        """The owner shared it with this person, and nothing later takes that back. READING: a tie tells less."""
        shares = [
            e.at
            for e in f.lists
            if (e.colour, e.basis, e.set_by) == (Colour.WHITE, Basis.GRANT, OWNER) and e.person in (r, None)
        ]
        return bool(shares) and all(e.at < max(shares) for e in self.against(f, r))

    def B(self, f: RawFact) -> People:  # noqa: N802
        """The blacklist. PL4 blacklists everybody it was not explicitly shared with; the owner is never on it."""
        return frozenset(
            r for r in self.U - {OWNER} if not self.shared(f, r) and (f.secret or self.against(f, r))
        )

    def W(self, f: RawFact, *, owner_set: bool = False) -> People:  # noqa: N802
        """The whitelist: who heard it, who has a role in it, whom it was shared with; `owner_set`: the last only.

        READING: `Aud = U` names nobody, so it whitelists nobody (else the rule that such an item is `LN` said nothing).
        """
        heard = frozenset() if f.audience.everyone else self.persons(f.audience)
        grants = {r for r in self.U if self.shared(f, r)}
        roles = {e.person for e in f.lists if e.colour is Colour.WHITE and e.basis is Basis.ROLE} - {None}
        return frozenset(grants if owner_set else grants | roles | heard) | {OWNER}

    # Case 1, (B.6) and (B.7)

    def case1(self, f: RawFact, r: PersonId, *, owner_set: bool = False) -> Answer:
        if r == OWNER:
            return Answer(True, "owner")
        if r in self.B(f):
            return Answer(False, "secret" if f.secret else "blacklist")
        if r in self.W(f, owner_set=owner_set):
            return Answer(True, "whitelist")
        if r in self.X(f) and not (self.stranger(r) and self.B(f)):
            return Answer(True, "level")
        return Answer(False, "level")

    # Case 2, (B.5)

    def sharp(self, f: RawFact) -> Label:
        """`ℓ♯(f) = ℓ₁ & … & ℓₖ`, (B.2)."""
        return ceil(self.labels(f))

    def case2(self, bundle: list[RawFact], r: PersonId) -> Answer:
        """Every fact again, with `R^{ℓ*}` in place of its default audience; penetrating: `X(f) ∩ R^{ℓ*}`.

        READING: of nothing, nothing can be told, not even to the owner. The step named is the gravest: lists, then labels.
        """
        if not bundle:
            return Answer(False, "nothing")
        answers = [self.again(f, r, ceil([self.sharp(g) for g in bundle])) for f in bundle]
        steps = ["secret", "blacklist", "level", "ceiling"]
        refused = sorted((a for a in answers if not a.allow), key=lambda a: steps.index(a.step))
        return refused[0] if refused else Answer(True, "allow")

    def again(self, f: RawFact, r: PersonId, whole: Label) -> Answer:
        """(B.6) with the tightened default audience, then (B.7)."""
        gate = self.R(whole, f.said_at)
        default = self.X(f) & gate if len(self.labels(f)) > 1 else gate
        base = frozenset(p for p in default if not (self.stranger(p) and self.B(f)))
        v_star = ((base | self.W(f)) - self.B(f)) | {OWNER}
        alone = self.case1(f, r)
        if r in v_star:
            return Answer(True, alone.step)
        return Answer(False, "ceiling") if alone.allow else alone

    # Case 3, (B.8) to (B.12)

    def deepest(self, evidence: list[RawFact]) -> list[RawFact]:
        """Candidates for `f_u`: most restrictive `ℓ♯`. READING: where several are, all of them, and never the newest."""

        def strictly_deeper(g: RawFact, f: RawFact) -> bool:
            return self.sharp(g) != self.sharp(f) and conj(self.sharp(g), self.sharp(f)) == self.sharp(g)

        return [f for f in evidence if not any(strictly_deeper(g, f) for g in evidence)]

    def trusted(self, f: RawFact, r: PersonId) -> bool:
        """A real-truth disclosure to `r` by the owner: said in their presence, or shared as the truth and not taken back."""
        truths = [
            e.at
            for e in f.lists
            if (e.colour, e.basis, e.set_by, e.real_truth) == (Colour.WHITE, Basis.GRANT, OWNER, True)
            and e.person in (r, None)
        ]
        taken_back = [e.at for e in self.against(f, r)]
        by_act = bool(truths) and (not taken_back or max(taken_back) < max(truths))
        in_person = f.teller == OWNER and not f.audience.everyone and r in self.persons(f.audience)
        return not f.cover and (by_act or in_person)

    def coref(self, evidence: list[RawFact]) -> tuple[People, People]:
        """`CoRef(u) = (W_eff, B_eff)`, (B.9) and (B.10)."""
        w_eff = {r for r in self.U for f in evidence if r in self.W(f) - self.B(f) and self.trusted(f, r)}
        b_eff = {r for f in self.deepest(evidence) for r in self.B(f)}
        return frozenset(w_eff), frozenset(b_eff)

    def case3(self, units: list[list[RawFact]], r: PersonId) -> list[Answer]:
        """(B.11), unit by unit; one without evidence is denied and takes no part in the ceiling (B.8)."""
        labels = [ceil([self.sharp(f) for f in evidence]) for evidence in units if evidence]
        return [
            self.unit(evidence, r, ceil(labels)) if evidence else Answer(False, "nothing")
            for evidence in units
        ]

    def unit(self, evidence: list[RawFact], r: PersonId, whole: Label) -> Answer:
        """READING: `R^{ℓ*}` at the time of the oldest evidence, for a label opens nothing said before it was given."""
        w_eff, b_eff = self.coref(evidence)
        if r == OWNER:
            return Answer(True, "owner")
        if r in b_eff:
            secret = any(f.secret and r in self.B(f) for f in self.deepest(evidence))
            return Answer(False, "secret" if secret else "blacklist")
        oldest = min(f.said_at for f in evidence)
        shut = self.stranger(r) and bool(b_eff)
        if not shut and r in self.R(whole, oldest):
            return Answer(True, "level")
        if r in w_eff:
            return Answer(True, "bound")
        alone = ceil([self.sharp(f) for f in evidence])
        return Answer(False, "ceiling" if not shut and r in self.R(alone, oldest) else "level")

    def full_disc(self, units: list[list[RawFact]], r: PersonId) -> bool:
        """(B.12). READING: a question without units is answered to nobody."""
        return bool(units) and all(a.allow for a in self.case3(units, r))

    # Rel, both rules

    def granted(self, f: RawFact) -> People:
        return frozenset(r for r in self.U if self.shared(f, r))

    def standing(self, f: RawFact) -> People:
        """Rule 2: `{ r : Disc°(r, m) = allow }` if the fact may be released by policy at all, else nobody."""
        if not self.by_policy(f):
            return frozenset()
        return frozenset(r for r in self.U if self.case1(f, r, owner_set=True).allow)

    def by_policy(self, f: RawFact) -> bool:
        category = self.category(f.category)
        if category is None:
            return False
        setting = category.release
        for until, before in sorted(category.past_release, key=lambda segment: segment[0], reverse=True):
            if f.said_at < until:
                setting = before
        first_hand = f.first_hand and self.persons(f.audience) == {OWNER} and f.teller == OWNER
        own = setting is ReleaseSetting.OWN and f.owner_typed and f.teller == OWNER
        told_by_others = f.event.tellers - {OWNER}
        requirements = [
            setting is not ReleaseSetting.NEVER,
            len(f.sources) >= 1,
            first_hand or own,
            not told_by_others or setting is ReleaseSetting.ANY,
            not (f.confidential or f.event.confidential),
            not (f.unresolved or f.event.unresolved),
            not f.cover,  # repeated only to people for whom the owner switched that on
            not f.kept_private,
            f.confirmed is not None or (setting is ReleaseSetting.POLICY and self.by_itself(f)),
        ]
        return all(requirements)

    def by_itself(self, f: RawFact) -> bool:
        """Setting `policy`: settled, no PL3 span, never to `LN`, two independent annotators of one opinion."""
        agreeing = set()
        for annotator in {s.annotator for s in f.suggestions} - {Confidence.OWNER}:
            theirs = [s for s in f.suggestions if s.annotator is annotator]
            best = max(s.confidence for s in theirs)
            if {s.category for s in theirs if s.confidence == best} == {
                f.category
            } and best >= self.policy.rho:
                agreeing.add(annotator)
        return f.settled and not f.sensitive and self.LN not in self.labels(f) and len(agreeing) >= 2

    def rel(self, f: RawFact) -> People:
        """READING: what opens to everybody but somebody opens to persons known at that moment, and to no stranger."""
        everybody = self.granted(f) | self.standing(f) | {OWNER}
        known = {OWNER, *self.policy.contacts, *(e.person for e in f.lists if e.by_owner)}
        return everybody if everybody == self.U else everybody & known

    # layer 1 and M_auth

    def admissible1(self, f: RawFact, viewers: People) -> bool:
        """`V↑(C) ⊆ Aud(m) ∪ Rel(m)`."""
        return viewers <= self.persons(f.audience) | self.rel(f)

    def disclosable(self, f: RawFact, viewers: People) -> Answer:
        """Both layers for a set of viewers; a cover story goes only to people for whom the owner switched that on."""
        if not self.admissible1(f, viewers):
            return Answer(False, "audience")
        if f.cover and not (viewers < self.U and viewers <= {OWNER, *self.policy.covers_for}):
            return Answer(False, "cover")
        refusals = [a for r in viewers if not (a := self.case1(f, r)).allow]
        return refusals[0] if refusals else Answer(True, "allow")

    def at_home(self, item: RawFact | RawMessage, here: Here) -> bool:
        return here.future is FutureReaders.NONE or item.container == here.container or here.consented

    def judge(self, f: RawFact, here: Here) -> Answer:
        """Both layers for who is there; where later members can read, items from elsewhere must be public."""
        answer = self.disclosable(f, self.persons(here.viewers))
        if answer.allow and not self.at_home(f, here) and not self.disclosable(f, self.U).allow:
            return Answer(False, "later members")
        return answer

    def m_auth(self, facts: list[RawFact], here: Here) -> set[FactId]:
        """What may be used; a corrected fact goes where its correction is itself in."""
        passed = {f.id for f in facts if self.judge(f, here).allow}
        return {f.id for f in facts if f.id in passed and f.superseded_by not in passed}

    # the recency buffer and links

    def message(self, m: RawMessage, told: list[RawFact], here: Here) -> bool:
        """Layer 1 by the message's own audience; gone with any fact in it that is PL4, barred here, a cover or forgotten.

        A reply of Tact's goes with anything it told that would not be told here again.
        """
        present = self.persons(here.viewers)
        behind = [f for f in told if m.id in f.sources or f.id in m.used]
        requirements = [
            m.origin is not Origin.COMMAND,
            present <= self.persons(m.audience),
            self.at_home(m, here) or m.audience.everyone,
            set(m.used) <= self.m_auth(told, here),
            present == {OWNER} or not any(f.secret or f.cover or self.B(f) & present for f in behind),
        ]
        return all(requirements)

    def link(self, edge: RawLink, facts: list[RawFact], passed: set[FactId], here: Here) -> bool:
        """A `because` or `but`: both ends told, together as well, and the words that state it (where the ends are stated)."""
        ends = [f for f in facts if f.id in passed & {edge.left, edge.right}]
        present = self.persons(here.viewers)
        requirements = [
            {f.id for f in ends} == {edge.left, edge.right},
            present <= self.persons(edge.audience),
            edge.audience.everyone or all(self.at_home(f, here) for f in ends),
            all(self.case2(ends, r).allow for r in present),
        ]
        return all(requirements)
