import { type AnyNode, type CallExpression, type Expression, parse, type Program } from 'acorn';
import { ShiploadError } from '../../errors.ts';

/** A function of the script that users run. */
export interface ScriptFunction {
  readonly name: string;
  readonly body: AnyNode;
}

/** A k6 script as its parser reads it. It is never run. */
export interface Script {
  /** Values at the top of the script by name: `const BASE = 'https://…'`. */
  readonly bindings: ReadonlyMap<string, Expression>;
  readonly functions: ReadonlyMap<string, ScriptFunction>;
  /** What the script's names stand for: `http` → `k6/http`, `sleep` → `k6.sleep`. */
  readonly imports: ReadonlyMap<string, string>;
  /** What it exports as `options`. */
  readonly options: Expression | undefined;
  /** Of the default export. */
  readonly main: ScriptFunction | undefined;
}

/**
 * Parses a script (ECMAScript, a module). Throws `import-invalid` with file, line and column for what is none, and for
 * code nested too deeply.
 */
export function readScript(text: string, file: string): Script {
  const program = parsed(text, file);
  const bindings = new Map<string, Expression>();
  const functions = new Map<string, ScriptFunction>();
  const imports = new Map<string, string>();
  let main: ScriptFunction | undefined;
  let mainName: string | undefined;
  const declare = (node: AnyNode): void => {
    if (node.type === 'FunctionDeclaration' && node.id !== null)
      functions.set(node.id.name, { name: node.id.name, body: node.body });
    if (node.type !== 'VariableDeclaration') return;
    for (const { id, init } of node.declarations) {
      if (id.type !== 'Identifier' || init === null || init === undefined) continue;
      if (isFunction(init)) functions.set(id.name, { name: id.name, body: init.body });
      else bindings.set(id.name, init);
    }
  };
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const from = String(node.source.value);
      for (const one of node.specifiers) {
        const named = one.type === 'ImportSpecifier' ? `.${nameOf(one.imported)}` : '';
        imports.set(one.local.name, from + named);
      }
    } else if (
      node.type === 'ExportNamedDeclaration' &&
      node.declaration !== null &&
      node.declaration !== undefined
    )
      declare(node.declaration);
    else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node;
      if (isFunction(declaration)) main = { name: 'default', body: declaration.body };
      else if (declaration.type === 'Identifier') mainName = declaration.name;
    } else declare(node);
  }
  if (mainName !== undefined) main = functions.get(mainName);
  return { bindings, functions, imports, options: bindings.get('options'), main };
}

function parsed(text: string, file: string): Program {
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true });
  } catch (cause) {
    const { loc, message } = cause as Error & {
      readonly loc?: { readonly line: number; readonly column: number };
    };
    const where = loc === undefined ? file : `${file}:${loc.line}:${loc.column + 1}`;
    const what =
      loc === undefined ? `the script cannot be read: ${message}` : message.replace(/ \(\d+:\d+\)$/, '');
    throw new ShiploadError('import-invalid', what, { where, cause });
  }
}

const isFunction = (
  node: AnyNode,
): node is Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
> =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression';

const nameOf = (node: AnyNode): string => (node.type === 'Identifier' ? node.name : '');

/** The body of a function that is written where it is handed over. */
export const functionBody = (node: AnyNode | undefined): AnyNode | undefined =>
  node !== undefined && isFunction(node) ? node.body : undefined;

/** `http.get` → `k6/http.get`, `sleep` → `k6.sleep`, `login` → `login`; undefined for what is called otherwise. */
export function calledName({ callee }: CallExpression, { imports }: Script): string | undefined {
  if (callee.type === 'Identifier') return imports.get(callee.name) ?? callee.name;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined;
  if (callee.property.type !== 'Identifier' || callee.computed) return undefined;
  const owner = callee.object.name;
  return `${imports.get(owner) ?? owner}.${callee.property.name}`;
}

export const lineOf = (node: AnyNode): number => node.loc?.start.line ?? 0;
