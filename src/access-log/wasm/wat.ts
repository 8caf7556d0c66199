import { INDEXED, MEMORY, OPCODES, VALUE_TYPES } from './opcodes.ts';

/** A list of the text format, or a word of it. */
type Node = string | readonly Node[];

const TOKEN = /;;[^\n]*|[()]|"[^"]*"|[^\s()]+/g;
const VOID = 0x40;

/**
 * Assembles a module from the folded text format of WebAssembly, as far as the scanner needs it: one exported
 * memory, functions with named parameters and locals of i32 and v128, `loop`, `if`/`then`/`else`, `br` and
 * `br_if` to loops, `call`, `return`, and the instructions of `opcodes.ts`. Throws an Error for anything else.
 * (WebAssembly Core Specification 2.0, chapters 5 and 6.)
 */
export function assemble(text: string): Uint8Array {
  const [keyword, ...parts] = parse(text) as [string, ...(readonly Node[])[]];
  if (keyword !== 'module') throw new Error('the text is no module');
  const functions = parts.filter((part) => part[0] === 'func').map(readFunction);
  const memory = parts.find((part) => part[0] === 'memory')!;
  const indexOf = new Map(functions.map(({ name }, index) => [name, index]));
  const exported = functions.flatMap(({ exportName }, index) =>
    exportName === undefined ? [] : [[...nameBytes(exportName), 0x00, ...unsigned(index)]],
  );
  const types = functions.map(({ parameters, results }) => [
    0x60,
    ...vector(parameters.map(({ type }) => [typeByte(type)])),
    ...vector(results.map((type) => [typeByte(type)])),
  ]);
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, vector(types)),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(5, vector([[0x00, ...unsigned(Number(memory[2]))]])),
    ...section(
      7,
      vector([[...nameBytes(unquoted((memory[1] as readonly string[])[1]!)), 0x02, 0], ...exported]),
    ),
    ...section(10, vector(functions.map((one) => sized(codeOf(one, indexOf))))),
  ]);
}

function parse(text: string): readonly Node[] {
  const stack: Node[][] = [[]];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith(';;')) continue;
    if (token === '(') stack.push([]);
    else if (token === ')') {
      const list = stack.pop()!;
      stack.at(-1)!.push(list);
    } else stack.at(-1)!.push(token);
  }
  return stack[0]![0] as readonly Node[];
}

interface Variable {
  readonly name: string;
  readonly type: string;
}

interface FunctionText {
  readonly name: string;
  readonly exportName?: string;
  readonly parameters: readonly Variable[];
  readonly results: readonly string[];
  readonly locals: readonly Variable[];
  readonly body: readonly Node[];
}

function readFunction([, name, ...rest]: readonly Node[]): FunctionText {
  const declared = (keyword: string): (readonly string[])[] =>
    rest.filter((part) => part[0] === keyword) as (readonly string[])[];
  const variables = (keyword: string): Variable[] =>
    declared(keyword).map(([, variable, type]) => ({ name: variable!, type: type! }));
  const exportName = declared('export')[0]?.[1];
  return {
    name: name as string,
    ...(exportName !== undefined && { exportName: unquoted(exportName) }),
    parameters: variables('param'),
    results: declared('result').map(([, type]) => type!),
    locals: variables('local'),
    body: rest.filter((part) => !['param', 'result', 'local', 'export'].includes(part[0] as string)),
  };
}

function codeOf(
  { parameters, locals, body }: FunctionText,
  functions: ReadonlyMap<string, number>,
): number[] {
  const variables = new Map([...parameters, ...locals].map(({ name }, index) => [name, index]));
  const scope: Scope = { variables, functions, labels: [] };
  return [
    ...vector(locals.map(({ type }) => [1, typeByte(type)])),
    ...body.flatMap((node) => encode(node, scope)),
    0x0b,
  ];
}

interface Scope {
  readonly variables: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  /** Names of the blocks around, innermost last; an `if` has none. */
  readonly labels: readonly string[];
}

/** A folded instruction: its operands first, then itself. */
function encode(node: Node, scope: Scope): number[] {
  const [name, ...rest] = node as [string, ...Node[]];
  const operands = (from: number): number[] => rest.slice(from).flatMap((operand) => encode(operand, scope));
  const named = rest[0] as string;
  if (name === 'i32.const') return [0x41, ...signed(Number(named))];
  if (name === 'loop') return loopOf(named, rest.slice(1), scope);
  if (name === 'if') return ifOf(rest, scope);
  if (name === 'br' || name === 'br_if') {
    const depth = scope.labels.length - 1 - scope.labels.lastIndexOf(named);
    return [...operands(1), name === 'br' ? 0x0c : 0x0d, ...unsigned(depth)];
  }
  if (name === 'call') return [...operands(1), 0x10, ...unsigned(known(scope.functions, named))];
  if (INDEXED[name] !== undefined)
    return [...operands(1), INDEXED[name], ...unsigned(known(scope.variables, named))];
  if (MEMORY[name] !== undefined) {
    const offset = /^offset=(\d+)$/.exec(named)?.[1];
    return [
      ...operands(offset === undefined ? 0 : 1),
      ...MEMORY[name],
      0x00,
      ...unsigned(Number(offset ?? 0)),
    ];
  }
  if (OPCODES[name] === undefined) throw new Error(`there is no instruction ${name}`);
  return [...operands(0), ...OPCODES[name]];
}

function loopOf(label: string, body: readonly Node[], scope: Scope): number[] {
  const inner = { ...scope, labels: [...scope.labels, label] };
  return [0x03, VOID, ...body.flatMap((one) => encode(one, inner)), 0x0b];
}

function ifOf([condition, yes, no]: readonly Node[], scope: Scope): number[] {
  const inner = { ...scope, labels: [...scope.labels, ''] };
  const branch = (part: Node): number[] =>
    (part as readonly Node[]).slice(1).flatMap((one) => encode(one, inner));
  return [
    ...encode(condition!, scope),
    0x04,
    VOID,
    ...branch(yes!),
    ...(no === undefined ? [] : [0x05, ...branch(no)]),
    0x0b,
  ];
}

function known(numbers: ReadonlyMap<string, number>, name: string): number {
  const number = numbers.get(name);
  if (number === undefined) throw new Error(`there is no ${name}`);
  return number;
}

function typeByte(type: string): number {
  const byte = VALUE_TYPES[type];
  if (byte === undefined) throw new Error(`there is no type ${type}`);
  return byte;
}

const unquoted = (text: string): string => text.slice(1, -1);

const nameBytes = (name: string): number[] => sized(Array.from(name, (char) => char.charCodeAt(0)));

const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];

const vector = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];

const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of 32 bits. */
function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = (value | 0) >> 7;
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
