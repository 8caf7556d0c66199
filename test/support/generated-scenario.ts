import assert from 'node:assert/strict';
import { type AnyNode, parse } from 'acorn';
import { transformSync } from 'esbuild';

/** All that a generated scenario may call; whatever else it calls came out of the import's text. */
const WORDS = new Set('get post put patch del env scenario String Number encodeURIComponent'.split(' '));
const METHODS = new Set('get head post put patch delete request pause group pick json'.split(' '));
/** Kinds of syntax that data has no use for. */
const NEVER =
  /^(?:TaggedTemplateExpression|NewExpression|ImportExpression|MetaProperty|ThisExpression|UpdateExpression|Class.*|For.*|While.*|If.*|Throw.*|Debugger.*)$/;

/** That a scenario is sound TypeScript, and calls nothing but the words of scenarios on data. Throws an AssertionError. */
export function assertOnlyWords(text: string): void {
  const { code } = transformSync(text, { loader: 'ts', target: 'esnext', logLevel: 'silent' });
  const pending: unknown[] = [parse(code, { ecmaVersion: 'latest', sourceType: 'module' })];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      pending.push(...(node as unknown[]));
      continue;
    }
    const { type } = node as AnyNode;
    if (typeof type === 'string') {
      assert.doesNotMatch(type, NEVER, text);
      // The compiler writes some texts with quotes in them as templates.
      if (type === 'TemplateLiteral')
        assert.equal((node as { expressions: unknown[] }).expressions.length, 0, text);
      if (type === 'CallExpression') requireWord(node as Extract<AnyNode, { type: 'CallExpression' }>, text);
    }
    pending.push(...Object.values(node));
  }
}

function requireWord({ callee }: Extract<AnyNode, { type: 'CallExpression' }>, text: string): void {
  if (callee.type === 'Identifier') assert.ok(WORDS.has(callee.name), `${callee.name}() in ${text}`);
  else if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier')
    assert.ok(METHODS.has(callee.property.name), `.${callee.property.name}() in ${text}`);
  else assert.fail(`a call of ${callee.type} in ${text}`);
}
