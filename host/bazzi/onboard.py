"""The scripts that the installer and the doctor run on a board, and what they tell.

They are MicroPython, kept short, because a board takes some 15 KB of them in a second. A line that they print
for us begins with "@" and a word that says what it is.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import LinkError
from .remote import AnyRemote, BoardFault

FOLDERS = "bazzi-"  # the beginning of the folders' names that versions have on the board
MAIN = "/main.py"
NEW_MAIN = "/main.py.new"
MANIFEST = "manifest.json"
DATA = "/data"

PIECE = 4096  # bytes of a file that are written at once: a block of the board's file system
LITERAL = 512  # bytes in one string; longer ones cost the board more time
SCRIPT = 6000  # characters of a script that carries pieces, about

_ESCAPES = {10: "\\n", 13: "\\r", 39: "\\'", 92: "\\\\"}
_OCTAL = (0, 3, 4)  # 3 and 4 are Ctrl-C and Ctrl-D

# The first line: nobody's /json.py is taken for MicroPython's own. It lasts until the board restarts.
IDENTIFY = """
import sys
sys.path[:]=['.frozen']
import gc,json,os
gc.collect()
def say(k,v):
 print('@'+k+' '+json.dumps(v))
i=sys.implementation
say('who',[i[0],list(i[1])[:3],getattr(i,'_mpy',0),getattr(i,'_machine',''),sys.platform])
"""

HELPERS = """
from hashlib import sha256
from binascii import hexlify
B=bytearray(1024)
V=memoryview(B)
def digest(p):
 try:
  h=sha256()
  with open(p,'rb') as f:
   n=1
   while n:
    n=f.readinto(B)
    h.update(V[:n])
  return hexlify(h.digest()).decode()
 except OSError:
  return ''
def walk(d):
 for e in os.ilistdir(d):
  p=d+'/'+e[0]
  if e[1]&0x4000:
   say('d',p)
   walk(p)
  else:
   say('f',[p,e[3],digest(p)])
def there(p):
 try:
  os.stat(p)
  return True
 except OSError:
  return False
def remove(p):
 if there(p):
  if os.stat(p)[0]&0x4000:
   for e in os.listdir(p):
    remove(p+'/'+e)
   os.rmdir(p)
  else:
   os.remove(p)
"""

INSPECT = """
def lfs():
 try:
  import rp2
 except ImportError:
  return False
 b=bytearray(16)
 for n in (0,1):
  rp2.Flash().readblocks(n,b,0)
  if bytes(b[8:])==b'littlefs':
   return True
 return False
s=os.statvfs('/')
import machine
say('disk',[s[0]*s[3],s[0]*s[2],lfs(),hexlify(machine.unique_id()).decode()])
for e in os.ilistdir('/'):
 p='/'+e[0]
 say('r',[p,bool(e[1]&0x4000)])
 if e[0].startswith('bazzi-') and e[1]&0x4000:
  say('d',p)
  walk(p)
  if there(p+'/manifest.json'):
   try:
    with open(p+'/manifest.json') as f:
     say('list',[p,json.load(f)])
   except (ValueError,OSError):
    pass
if there('/lib'):
 for e in os.ilistdir('/lib'):
  say('r',['/lib/'+e[0],bool(e[1]&0x4000)])
for p in ('/main.py','/boot.py'):
 if there(p):
  with open(p,'rb') as f:
   say(p,[hexlify(f.read(600)).decode(),digest(p)])
if there('/data'):
 for e in os.ilistdir('/data'):
  say('m',[e[0],e[3]])
"""

PREPARE = """
remove({new_main!r})
for p in {stale!r}:
 remove(p)
for p in {folders!r}:
 if not there(p):
  os.mkdir(p)
for n in {copies!r}:
 with open({old!r}+n,'rb') as f:
  with open({new!r}+n,'wb') as g:
   n=1
   while n:
    n=f.readinto(B)
    g.write(V[:n])
say('ready',1)
"""

# The switch is the rename: before it the old version starts, after it the new one, and a power cut leaves
# one or the other, because littlefs renames in one step.
SWITCH = """
with open({manifest!r}) as f:
 M=json.load(f)['files']
bad=[n for n in M if digest({folder!r}+n)!=M[n]]
if digest({new_main!r})!={main!r}:
 bad.append({new_main!r})
if bad:
 say('bad',bad)
else:
 os.rename({new_main!r},{main_path!r})
 say('switched',1)
"""

REMOVE = """
for p in {paths!r}:
 remove(p)
 say('gone',p)
say('clean',1)
"""

READ_DATA = """
from binascii import b2a_base64
for e in os.ilistdir('/data'):
 if not e[1]&0x4000:
  p='/data/'+e[0]
  say('f',[e[0],e[3],digest(p)])
  with open(p,'rb') as f:
   n=1
   while n:
    n=f.readinto(B)
    if n:
     print('@b '+b2a_base64(V[:n]).decode().strip())
say('end',1)
"""

HASH_DATA = """
if there('/data'):
 for e in os.ilistdir('/data'):
  if not e[1]&0x4000:
   say('f',[e[0],e[3],digest('/data/'+e[0])])
"""

# The wires, looked at while no program uses them: keys that are closed, lines that are held down, the display.
WIRES = """
from machine import I2C,Pin
import time
k=[Pin(n,Pin.IN,Pin.PULL_UP) for n in {keys!r}]
w=[Pin(n,Pin.IN,Pin.PULL_UP) for n in {wires!r}]
time.sleep_ms(5)
say('keys',[p.value() for p in k])
say('wires',[p.value() for p in w])
a=[]
b=I2C({id!r},scl=Pin({wires!r}[1]),sda=Pin({wires!r}[0]),freq={hz!r},timeout=20000)
for n in {addresses!r}:
 try:
  b.writeto(n,b'\\x00\\xe3')
  a.append(n)
 except OSError:
  pass
say('display',a)
"""

TRY = """
sys.path[:]={path!r}
try:
 for n in {names!r}:
  __import__(n)
 say('try','')
except Exception as e:
 say('try',type(e).__name__+': '+str(e))
"""


@dataclass(slots=True)
class Inside:
    """What is on a board.

    mpy         sys.implementation._mpy; version: of MicroPython; platform: "rp2" on a Pico
    free, size  bytes of the file system; littlefs: whether it is one; device: the board's id in hex
    root        path -> whether it is a folder, of the root and of /lib
    files       path -> (bytes, sha256 in hex, "" where it cannot be read) of all in folders of versions
    folders     all folders in those, themselves included
    manifests   folder of a version -> its list of files, where that can be read
    main, boot  the beginning of /main.py and /boot.py, None where there is none; main_hash: sha256 of all of it
    data        name -> bytes of what is in /data
    """

    name: str = ""
    version: tuple[int, ...] = ()
    mpy: int = 0
    machine: str = ""
    platform: str = ""
    free: int = 0
    size: int = 0
    littlefs: bool = False
    device: str = ""
    root: dict[str, bool] = field(default_factory=dict)
    files: dict[str, tuple[int, str]] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    manifests: dict[str, dict[str, Any]] = field(default_factory=dict)
    main: str | None = None
    main_hash: str = ""
    boot: str | None = None
    data: dict[str, int] = field(default_factory=dict)

    @property
    def micropython(self) -> str:
        """The interpreter and its version in words."""
        return f"{'MicroPython' if self.name == 'micropython' else self.name} {'.'.join(map(str, self.version))}"

    def versions(self) -> list[str]:
        """Return the folders of versions, "/bazzi-..."."""
        return [path for path, folder in self.root.items() if folder and path.startswith("/" + FOLDERS)]

    def within(self, folder: str) -> dict[str, tuple[int, str]]:
        """Return the files of one version, by path within its folder."""
        return {path[len(folder) + 1 :]: what for path, what in self.files.items() if path.startswith(folder + "/")}


def values(lines: Iterable[str]) -> Iterable[tuple[str, Any]]:
    """Give (word, value) of the lines of a script; raises LinkError for what no script of ours prints."""
    for line in lines:
        word, _, rest = line.partition(" ")
        try:
            yield word, json.loads(rest) if word != "b" else rest
        except ValueError:
            raise LinkError(f"the board printed something unknown: {line[:60]!r}") from None


def _is_list(value: Any) -> bool:
    """Tell whether something is a list of files as the installer writes it: a damaged file can be any JSON."""
    if not isinstance(value, dict) or not isinstance(value.get("files"), dict):
        return False
    return all(isinstance(value.get(key), str) for key in ("version", "mpy", "arch"))


def inspect(remote: AnyRemote) -> Inside:
    """Look at a board; stops what runs there. Of another interpreter only what it is can be told. Raises LinkError."""
    try:
        lines = remote.run([IDENTIFY, HELPERS + INSPECT])
    except BoardFault as error:
        lines = error.lines
        who = [value for word, value in values(lines) if word == "who"]
        if not who or (who[0][0] == "micropython" and who[0][4] == "rp2"):
            raise
    inside = Inside()
    for word, value in values(lines):
        if word == "who":
            inside.name, inside.mpy, inside.machine, inside.platform = value[0], value[2], value[3], value[4]
            inside.version = tuple(value[1])
        elif word == "disk":
            inside.free, inside.size, inside.littlefs, inside.device = value
        elif word == "r":
            inside.root[value[0]] = value[1]
        elif word == "list" and _is_list(value[1]):
            inside.manifests[value[0]] = value[1]
        elif word == "d":
            inside.folders.append(value)
        elif word == "f":
            inside.files[value[0]] = (value[1], value[2])
        elif word == MAIN:
            inside.main, inside.main_hash = _text(value[0]), value[1]
        elif word == "/boot.py":
            inside.boot = _text(value[0])
        elif word == "m":
            inside.data[value[0]] = value[1]
    return inside


def _text(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-8", "replace")


def put_scripts(files: Mapping[str, bytes]) -> list[str]:
    """Return the scripts that write files, by path on the board. Each piece that is written prints a line "p"."""
    scripts: list[str] = []
    script = ""
    for path, data in files.items():
        for start in range(0, max(1, len(data)), PIECE):
            end = min(start + PIECE, len(data))
            piece = f"with open({path!r},{'ab' if start else 'wb'!r}) as f:\n pass\n"
            for at in range(start, end, LITERAL):
                piece += f" f.write(b'{_literal(data[at : min(at + LITERAL, end)])}')\n"
            piece += f"say('p',{path!r})\n"
            if script and len(script) + len(piece) > SCRIPT:
                scripts.append(script)
                script = ""
            script += piece
    return [IDENTIFY, *scripts, script] if script else []


def _literal(data: bytes) -> str:
    """Return bytes as they stand between quotes: most of them as they are, because each byte costs the board time.

    Only what a string or MicroPython's prompt would take for something else is escaped.
    """
    out = []
    for place, byte in enumerate(data):
        if byte in _ESCAPES:
            out.append(_ESCAPES[byte])
        elif byte in _OCTAL:
            digit = place + 1 < len(data) and data[place + 1 : place + 2].isdigit()
            out.append(f"\\{byte:03o}" if digit else f"\\{byte:o}")
        else:
            out.append(chr(byte))
    return "".join(out)


def run(remote: AnyRemote, script: str, **more: Any) -> dict[str, Any]:
    """Run one of the scripts above with its blanks filled in; returns its lines, the last of each word."""
    return dict(values(remote.run([IDENTIFY + HELPERS + (script.format(**more) if more else script)])))
