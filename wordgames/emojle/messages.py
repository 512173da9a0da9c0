"""The messages of an export: what was written, by whom and when.

An export of a chat, a mailbox or a network often holds one message in several forms: plain and as
HTML, in two languages, quoted in an answer. So every text comes with the `thing` that it belongs
to, a path of numbers: an element of a list is a thing of its own, and all texts in it, however
deep, are about it. Texts of one thing, or of a thing inside it, may be copies of each other; texts
of different things are not.

Read are JSON (whole documents, lines, and the scripts of Twitter's archive), mail (also many in one
file), and backups of text messages in XML. Everything else is one text.
"""

# ruff: noqa: SIM905 - lists of words read best as text

import email
import email.policy
import itertools
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(slots=True)
class Message:
    """One text of an export.

    Attributes
    ----------
    text : str
    author, time : str
        As the source has them; empty when it does not say.
    is_quoted : bool
        Whether it stands in the message of somebody else: an answer, a share, a reaction.
    thing : tuple of int
        What it is a text of; see above.
    """

    text: str
    author: str = ""
    time: str = ""
    is_quoted: bool = False
    thing: tuple[int, ...] = ()


def messages_of(text: str) -> list[Message]:
    """The messages of any text; a text of no known kind is one message."""
    start = _SPACE.match(text).end()
    if text[start : start + 1] in ("{", "[", '"') or _ASSIGNED.match(text, start):
        values = json_values(text)
        if values is not None:
            return json_messages(values)
    if _FIELD.match(text, start) and is_mail(text[:_HEAD]):
        return mail_messages(text.encode("utf-8", "surrogatepass"))
    if text.startswith("<", start) and _SMS_FILE.search(text[:_HEAD]):
        return _sms_messages(text)
    return [Message(text)]


_HEAD = 5_000  # characters that show what a text is

# --- JSON -----------------------------------------------------------------------------------------

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[\s\ufeff]*+")
_BETWEEN = re.compile(r"[\s;]*+")
_ASSIGNED = re.compile(r"[\w.$]{1,60}+(?:\[[\w\"']{1,40}\])? ?= ?(?=[\[{])")  # window.YTD.x.part0 =

# UTF-8 whose bytes were taken for characters, as in the archives of Messenger and Instagram.
_MISREAD = re.compile(
    "(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+"
)

# Keys as `_key` makes them.
_AUTHORS = (
    "forwardedfrom author sendername senderfullname from sender username screenname user account "
    "actor creator attributedto nickname contactname handle displayname senderid userid"
).split()
_NAMES = (
    "username screenname acct handle displayname globalname name emailaddress email login user id"
).split()
_TIMES = (
    "timestampms timestamp date datetime time createdat created createdutc published ts "
    "originserverts sentat sent"
).split()
_QUOTING = re.compile(
    r"quot|retweet|reblog|repost|boost|repl(?:y|ied)to|replymessage|referenced|forwarded|original"
    r"|^shared?$|^sharedmessage|^embed|^attachments?$|^parent|^reaction"
)
_TEXT_KEY = re.compile(
    r"text|body|content|html|message|msg|title|raw|cooked|render|caption|subject|summary|markdown"
    r"|description|plain|formatted|fallback|value|post|tweet|note|comment"
)
# Keys beside "text" that hold its pieces once more, in Slack's and Telegram's exports.
_PIECES = frozenset({"blocks", "text_entities"})


def json_values(text: str) -> list | None:
    """The values of a JSON document, or of one value after another; None: it is no JSON."""
    place = _SPACE.match(text).end()
    if assigned := _ASSIGNED.match(text, place):
        place = assigned.end()
    values = []
    try:
        while place < len(text):
            value, place = _DECODER.raw_decode(text, place)
            values.append(value)
            place = _BETWEEN.match(text, place).end()
    except (ValueError, RecursionError):
        return None
    return values


def json_messages(values: list) -> list[Message]:
    """All texts in some JSON values, each value a thing of its own, in their order.

    Pieces of one text (Telegram's list of words and links, a list of lines) are put together.
    """
    found = []
    numbers = itertools.count()
    lone = len(values) == 1
    top = Message("")
    stack = [("", v, top if lone else replace(top, thing=(next(numbers),))) for v in values][::-1]
    while stack:
        key, value, about = stack.pop()
        if isinstance(value, str):
            if value:
                found.append(replace(about, text=_mended(value)))
        elif isinstance(value, dict):
            stack.extend(_children(key, value, about, numbers)[::-1])
        elif isinstance(value, list):
            pieces = [v.get("text") if isinstance(v, dict) else v for v in value]
            if any(isinstance(v, str) for v in value) and all(isinstance(p, str) for p in pieces):
                gap = "" if len({type(v) for v in value}) > 1 else "\n"
                found.append(replace(about, text=_mended(gap.join(pieces))))
            else:
                thing = about.thing
                stack.extend(
                    [(key, v, replace(about, thing=(*thing, next(numbers)))) for v in value][::-1]
                )
    return found


def _mended(text: str) -> str:
    if text.isascii() or not _MISREAD.search(text):
        return text
    return _MISREAD.sub(lambda found: found[0].encode("latin-1").decode("utf-8", "replace"), text)


@lru_cache(4096)
def _key(key: str) -> str:
    return re.sub(r"[\W_]", "", key.lower())


@lru_cache(4096)
def _is_quoting(key: str) -> bool:
    return bool(_QUOTING.search(key))


def _children(key: str, value: dict, about: Message, numbers) -> list[tuple[str, object, Message]]:
    """The values of an object with what is known of them."""
    keys = {_key(name): name for name in value}
    author = _first(value, keys, _AUTHORS) or about.author
    time = _first(value, keys, _TIMES) or about.time
    about = replace(about, author=author, time=time)
    is_collection = _is_collection(_key(key), value)
    pieces = _PIECES if value.get("text") else ()
    children = []
    for name, child in value.items():
        if name in pieces or not isinstance(child, (str, dict, list)):
            continue
        its = about
        if isinstance(child, (dict, list)) and _is_quoting(_key(name)):
            its = replace(its, author="", time="", is_quoted=True)
        if is_collection:
            its = replace(its, thing=(*its.thing, next(numbers)))
            if isinstance(child, str):
                its = replace(its, author=name)
        children.append((name, child, its))
    return children


def _first(value: dict, keys: dict[str, str], wanted: Iterable[str]) -> str:
    """The first of some keys that says something, as text."""
    for key in wanted:
        if key in keys and (said := _as_text(value[keys[key]])):
            return said
    return ""


def _as_text(value) -> str:
    if isinstance(value, str):
        return _mended(value).strip()
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, dict):
        keys = {_key(name): name for name in value}
        for key in _NAMES:
            if key in keys and not isinstance(value[keys[key]], list) and value[keys[key]]:
                return _as_text(value[keys[key]])
    return ""


def _is_collection(key: str, value: dict) -> bool:
    """Whether an object is a list by another name: messages by their id, posts by their writers."""
    values = list(value.values())
    if len(values) < 2 or any(_TEXT_KEY.search(_key(name)) for name in value):
        return False
    if all(isinstance(v, dict) for v in values):
        return not set(values[0]).isdisjoint(values[1])
    # {"en": "…", "de": "…"} in a contentMap is one post in two languages.
    return not key.endswith("map") and all(isinstance(v, str) and "ordle" in v for v in values)


# --- mail -----------------------------------------------------------------------------------------

_MAIL_FIELD = re.compile(r"(?im)^(?:mime-version|content-type|content-transfer-encoding): ?\S")
_FIELD = re.compile(r"(?:From |[A-Za-z][A-Za-z0-9-]{1,40}:)")
_BLANK = re.compile(r"\r?\n\r?\n|\r\r")
_NEXT_MAIL = re.compile(rb"(?m)^From \S+ .*\d{4}\r?\n")


def is_mail(text: str) -> bool:
    """Whether a text begins with the fields of a mail, or of a file of mails."""
    text = text.lstrip("\ufeff\r\n")
    head = _BLANK.split(text, maxsplit=1)[0]
    return bool(_FIELD.match(head) and _MAIL_FIELD.search(head))


def mail_messages(data: bytes) -> list[Message]:
    """The texts of a mail, or of each mail in a file in the format mbox.

    The plain and the HTML form of a mail are texts of one thing; a mail inside a mail is quoted.
    """
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    starts = [found.end() for found in _NEXT_MAIL.finditer(data)] or [0]
    ends = [*[found.start() for found in _NEXT_MAIL.finditer(data)][1:], len(data)]
    found = []
    numbers = itertools.count()
    for start, end in zip(starts, ends, strict=True):
        mail = email.message_from_bytes(data[start:end], policy=email.policy.default)
        stack = [(mail, (next(numbers),), False)]
        about = Message("")
        while stack:
            part, thing, is_quoted = stack.pop()
            if part is mail or part.get_content_type() == "message/rfc822":
                inner = part if part is mail else part.get_payload(0)
                about = Message("", _field(inner, "From"), _field(inner, "Date"), is_quoted, thing)
                found.append(replace(about, text=_field(inner, "Subject")))
                part = inner
            if part.is_multipart():
                for child in reversed(part.get_payload()):
                    is_mail_in_it = child.get_content_type() == "message/rfc822"
                    own = (*thing, next(numbers)) if is_mail_in_it else thing
                    stack.append((child, own, is_quoted or is_mail_in_it))
            elif part.get_content_maintype() == "text":
                found.append(replace(about, text=_content(part), is_quoted=is_quoted, thing=thing))
    return [message for message in found if message.text]


def _field(mail, name: str) -> str:
    try:
        return str(mail.get(name, ""))
    except Exception:  # a field that the library cannot make sense of says nothing
        return ""


def _content(part) -> str:
    try:
        return part.get_content()
    except (LookupError, ValueError, KeyError):  # an encoding that nobody knows
        payload = part.get_payload(decode=True) or b""
        return payload.decode("utf-8", "replace")


# --- text messages --------------------------------------------------------------------------------

_SMS_FILE = re.compile(r"<(?:smses|sms|mms)\s")
_SMS = re.compile(r"""<(sms|mms|part)\s((?:[^<>"']|"[^"]*"|'[^']*')*+)>""")
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,40})\s?=\s?(?:"([^"]*)"|'([^']*)')""")


def _sms_messages(text: str) -> list[Message]:
    """Messages of a backup in XML, as the apps for phones write it."""
    found = []
    about = Message("")
    for number, element in enumerate(_SMS.finditer(text)):
        values = {name: double or single for name, double, single in _ATTRIBUTE.findall(element[2])}
        if element[1] != "part":
            is_own = "2" in (values.get("type"), values.get("msg_box"))
            other = values.get("contact_name") or values.get("address", "")
            about = Message("", "me" if is_own else other, values.get("date", ""), thing=(number,))
        said = values.get("body") or values.get("text") or ""
        if said not in ("", "null"):
            found.append(replace(about, text=said))
    return found
