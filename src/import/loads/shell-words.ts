/** A word of a command line, and the line it begins on, counted from 1. */
export interface ShellWord {
  readonly text: string;
  readonly line: number;
}

/** What a shell would read differently from what stands there: it is left as it stands, and said. */
export interface ShellCommands {
  readonly commands: readonly (readonly ShellWord[])[];
  readonly fault?: { readonly line: number; readonly message: string };
  /** Lines with `$name`, `$(…)` or a backquote outside single quotes. */
  readonly expansions: readonly number[];
}

const ANSI: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

/**
 * Commands and their words, as a POSIX shell splits them (IEEE Std 1003.1, 2.2 quoting, 2.3 tokens), with `$'…'` of
 * bash, which browsers print. Commands end at a line's end, `;`, `&` or `|`; a backslash (or `^`, which Windows has) at a
 * line's end goes on. Nothing is expanded.
 */
export function shellCommands(text: string): ShellCommands {
  return new ShellReader(text).read();
}

class ShellReader {
  readonly #text: string;
  readonly #commands: (readonly ShellWord[])[] = [];
  readonly #expansions: number[] = [];
  #command: ShellWord[] = [];
  #word: string | undefined;
  #wordLine = 1;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n');
  }

  read(): ShellCommands {
    const { length } = this.#text;
    while (this.#at < length) {
      const line = this.#line;
      if (!this.#step()) {
        const fault = { line, message: 'a quote is opened and never closed' };
        return { commands: this.#commands, expansions: this.#expansions, fault };
      }
    }
    this.#endCommand();
    return { commands: this.#commands, expansions: this.#expansions };
  }

  /** One character outside quotes, or a whole quoted text; false where its quote is never closed. */
  #step(): boolean {
    const sign = this.#text[this.#at]!;
    const next = this.#text[this.#at + 1];
    if (sign === '\n') {
      this.#at += 1;
      this.#line += 1;
      this.#endCommand();
    } else if ((sign === '\\' || (sign === '^' && this.#word === undefined)) && next === '\n') {
      this.#at += 2;
      this.#line += 1;
    } else if (sign === '\\') {
      this.#add(next ?? '');
      this.#at += 2;
    } else if (sign === "'") return this.#quoted(this.#at + 1);
    else if (sign === '"') return this.#doubleQuoted();
    else if (sign === '$' && next === "'") return this.#ansiQuoted();
    else if (sign === '#' && this.#word === undefined) this.#skipLine();
    else if (sign === ' ' || sign === '\t') {
      this.#at += 1;
      this.#endWord();
    } else if (sign === ';' || sign === '&' || sign === '|') {
      this.#at += 1;
      this.#endCommand();
    } else this.#plain(sign);
    return true;
  }

  #plain(sign: string): void {
    if (this.#isExpansion(this.#at)) this.#expansions.push(this.#line);
    this.#add(sign);
    this.#at += 1;
  }

  #isExpansion(at: number): boolean {
    const sign = this.#text[at];
    return sign === '`' || (sign === '$' && /[\w({]/.test(this.#text[at + 1] ?? ''));
  }

  #quoted(from: number): boolean {
    const end = this.#text.indexOf("'", from);
    if (end === -1) return false;
    const content = this.#text.slice(from, end);
    this.#add(content);
    this.#countLines(content);
    this.#at = end + 1;
    return true;
  }

  #doubleQuoted(): boolean {
    const pieces: string[] = [];
    const { length } = this.#text;
    let at = this.#at + 1;
    let from = at;
    for (; at < length && this.#text[at] !== '"'; at += 1) {
      const sign = this.#text[at]!;
      if (sign === '\n') this.#line += 1;
      if (this.#isExpansion(at)) this.#expansions.push(this.#line);
      if (sign !== '\\') continue;
      const next = this.#text[at + 1];
      if (next === undefined || !'$`"\\\n'.includes(next)) continue;
      pieces.push(this.#text.slice(from, at), next === '\n' ? '' : next);
      at += 1;
      from = at + 1;
    }
    if (at >= length) return false;
    this.#add(pieces.join('') + this.#text.slice(from, at));
    this.#at = at + 1;
    return true;
  }

  /** `$'…'` with the escapes of C, `\uXXXX` among them. */
  #ansiQuoted(): boolean {
    const match = /\$'((?:[^'\\]|\\[\s\S])*)'/y;
    match.lastIndex = this.#at;
    const found = match.exec(this.#text);
    if (found === null) return false;
    this.#add(
      found[1]!.replaceAll(
        /\\(?:u([\da-f]{1,4})|U([\da-f]{1,8})|x([\da-f]{1,2})|([0-7]{1,3})|([\s\S]))/gi,
        (_, u?: string, long?: string, x?: string, octal?: string, one = '') => {
          if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
          const code = Number.parseInt(u ?? long ?? x ?? 'z', 16);
          if (Number.isNaN(code)) return ANSI[one as string] ?? (one as string);
          return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
        },
      ),
    );
    this.#countLines(found[1]!);
    this.#at += found[0].length;
    return true;
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  #countLines(content: string): void {
    for (const sign of content) if (sign === '\n') this.#line += 1;
  }

  #add(text: string): void {
    if (this.#word === undefined) this.#wordLine = this.#line;
    this.#word = (this.#word ?? '') + text;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    this.#command.push({ text: this.#word, line: this.#wordLine });
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#command.length > 0) this.#commands.push(this.#command);
    this.#command = [];
  }
}
