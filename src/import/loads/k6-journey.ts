import type { AnyNode, CallExpression, Expression, SpreadElement } from 'acorn';
import type { HttpMethod } from '../../scenario/request-options.ts';
import { type ImportedGroup, type ImportedStep, methodOf } from './imported-load.ts';
import type { K6Requests } from './k6-requests.ts';
import { COMPUTED, type Literals } from './k6-literals.ts';
import { CALLS, sendingCalls } from './k6-calls.ts';
import { thinkTimeOf } from './k6-sleep.ts';
import { calledName, functionBody, lineOf, type Script, type ScriptFunction } from './k6-script.ts';

/** Functions that call functions. */
const MOST_DEPTH = 8;
const MOST_STEPS = 5000;

type Argument = Expression | SpreadElement;

/**
 * What a function of the script sends, in order: calls of `k6/http`, `sleep` as pauses, `group` as groups, calls of
 * functions of the script followed. What happens only sometimes (conditions, loops) is noted and left out.
 */
export class K6Journey {
  readonly #script: Script;
  readonly #literals: Literals;
  readonly #requests: K6Requests;
  readonly #notes: string[];
  #groups: { name?: string; steps: ImportedStep[] }[] = [];
  #steps: ImportedStep[] = [];
  #checkCount = 0;
  #stepCount = 0;
  /** Functions that are being followed. */
  #nesting = 0;

  constructor(script: Script, literals: Literals, requests: K6Requests, notes: string[]) {
    this.#script = script;
    this.#literals = literals;
    this.#requests = requests;
    this.#notes = notes;
  }

  groupsOf({ body }: ScriptFunction): readonly ImportedGroup[] {
    this.#groups = [];
    this.#begin(undefined);
    this.#walk(body, 0);
    if (this.#checkCount > 0)
      this.#notes.push(
        `Checks (${this.#checkCount}) are code and left out: an answer of 400 or above fails in any case; write others as check: { … }.`,
      );
    this.#checkCount = 0;
    return this.#groups.filter(({ steps }) => steps.length > 0);
  }

  #begin(name: string | undefined): void {
    this.#steps = [];
    this.#groups.push({ ...(name !== undefined && { name }), steps: this.#steps });
  }

  #walk(node: AnyNode | null | undefined, depth: number): void {
    if (node === null || node === undefined || depth > 200 || this.#stepCount > MOST_STEPS) return;
    const into = (inner: AnyNode | null | undefined): void => this.#walk(inner, depth + 1);
    switch (node.type) {
      case 'BlockStatement':
        for (const statement of node.body) into(statement);
        break;
      case 'ExpressionStatement':
        into(node.expression);
        break;
      case 'VariableDeclaration':
        for (const { init } of node.declarations) into(init);
        break;
      case 'ReturnStatement':
      case 'AwaitExpression':
      case 'UnaryExpression':
        into(node.argument);
        break;
      case 'AssignmentExpression':
        into(node.right);
        break;
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        into(node.expression);
        break;
      case 'MemberExpression':
        into(node.object);
        break;
      case 'SequenceExpression':
        for (const one of node.expressions) into(one);
        break;
      case 'TryStatement':
        into(node.block);
        into(node.finalizer);
        break;
      case 'CallExpression':
        this.#call(node, depth);
        break;
      case 'ArrayExpression':
        for (const element of node.elements) into(element);
        break;
      case 'ObjectExpression':
        for (const property of node.properties)
          into(property.type === 'SpreadElement' ? property.argument : property.value);
        break;
      case 'TemplateLiteral':
        for (const one of node.expressions) into(one);
        break;
      case 'BinaryExpression':
        into(node.right);
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        break;
      default:
        this.#sometimes(node);
    }
  }

  /** What is sent only under a condition, or several times, is no part of a plain journey. */
  #sometimes(node: AnyNode): void {
    const calls = sendingCalls(node, this.#script);
    if (calls === 0) return;
    const kinds: Readonly<Record<string, string>> = {
      IfStatement: 'a condition',
      SwitchStatement: 'a condition',
      ConditionalExpression: 'a condition',
      LogicalExpression: 'a condition',
    };
    const kind =
      kinds[node.type] ?? (/^(?:For|While|DoWhile)/.test(node.type) ? 'a loop' : 'code that is not followed');
    const many = calls === 1 ? 'A request' : `${calls} requests`;
    this.#notes.push(`line ${lineOf(node)}: ${many} in ${kind}: left out.`);
  }

  #call(node: CallExpression, depth: number): void {
    const name = calledName(node, this.#script);
    const args = node.arguments;
    const verb = /^k6\/http\.(\w+)$/.exec(name ?? '')?.[1];
    if (verb !== undefined) return this.#http(verb, args, node);
    if (name === 'k6.sleep') return this.#sleep(args[0], node);
    if (name === 'k6.check') {
      this.#checkCount += 1;
      return this.#walk(args[0], depth + 1);
    }
    if (name === 'k6.group') return this.#group(args, depth);
    const own = name === undefined ? undefined : this.#script.functions.get(name);
    if (own !== undefined && this.#nesting < MOST_DEPTH) {
      this.#nesting += 1;
      this.#walk(own.body, depth + 1);
      this.#nesting -= 1;
    }
    for (const arg of args) this.#walk(arg, depth + 1);
    if (node.callee.type === 'MemberExpression') this.#walk(node.callee.object, depth + 1);
    const given = args.reduce(
      (sum, arg) => sum + (functionBody(arg) === undefined ? 0 : sendingCalls(arg, this.#script)),
      0,
    );
    if (given > 0)
      this.#notes.push(
        `line ${lineOf(node)}: ${given} ${given === 1 ? 'request' : 'requests'} in a function that is handed over: left out.`,
      );
  }

  #group(args: readonly Argument[], depth: number): void {
    const [name, part] = args;
    const title = name === undefined ? COMPUTED : this.#literals.valueOf(name);
    const body = functionBody(part);
    if (body === undefined) return;
    const outer = this.#groups.at(-1)?.name;
    // Groups within groups are one after the other: their names tell where they belong.
    const own = typeof title === 'string' && title !== '' ? title : 'group';
    this.#begin(outer === undefined ? own : `${outer} / ${own}`);
    this.#walk(body, depth + 1);
    this.#begin(outer);
  }

  #http(verb: string, args: readonly Argument[], node: AnyNode): void {
    if (verb === 'batch') return this.#batch(args[0], node);
    if (verb === 'request' || verb === 'asyncRequest') {
      const [method, url, body, params] = args;
      const known = method === undefined ? undefined : this.#methodOf(method);
      return this.#add(known, url, body, params, node);
    }
    const call = Object.hasOwn(CALLS, verb) ? CALLS[verb] : undefined;
    if (call === undefined) return;
    this.#add(
      call.method,
      args[0],
      call.body === undefined ? undefined : args[call.body],
      args[call.params],
      node,
    );
  }

  /** A list, or an object, of URLs, of `[method, url, body, params]`, or of objects with these names. */
  #batch(list: Argument | undefined, node: AnyNode): void {
    const elements =
      list?.type === 'ArrayExpression'
        ? list.elements
        : list?.type === 'ObjectExpression'
          ? list.properties.map((property) => (property.type === 'SpreadElement' ? property : property.value))
          : undefined;
    if (elements === undefined) {
      this.#notes.push(`line ${lineOf(node)}: what http.batch sends is computed: left out.`);
      return;
    }
    this.#notes.push(
      `line ${lineOf(node)}: http.batch sends at once what a user here sends one after the other.`,
    );
    for (const element of elements) {
      if (element === null) continue;
      if (element.type === 'ArrayExpression') {
        const [method, url, body, params] = element.elements;
        const known = method === null || method === undefined ? undefined : this.#methodOf(method);
        this.#add(known, url ?? undefined, body ?? undefined, params ?? undefined, element);
      } else if (element.type === 'ObjectExpression') {
        const member = (wanted: string): Expression | undefined => {
          for (const property of element.properties)
            if (
              property.type === 'Property' &&
              property.key.type === 'Identifier' &&
              property.key.name === wanted
            )
              return property.value;
          return undefined;
        };
        const method = member('method');
        this.#add(
          method === undefined ? 'GET' : this.#methodOf(method),
          member('url'),
          member('body'),
          member('params'),
          element,
        );
      } else this.#add('GET', element, undefined, undefined, element);
    }
  }

  #methodOf(node: AnyNode): HttpMethod | undefined {
    const value = this.#literals.valueOf(node);
    return typeof value === 'string' ? methodOf(value) : undefined;
  }

  #add(
    method: HttpMethod | undefined,
    url: AnyNode | undefined,
    body: AnyNode | undefined,
    params: AnyNode | undefined,
    node: AnyNode,
  ): void {
    this.#stepCount += 1;
    const request = this.#requests.requestOf({ method, url, body, params, line: lineOf(node) });
    if (request !== undefined) this.#steps.push({ kind: 'request', request });
  }

  #sleep(time: Argument | undefined, node: AnyNode): void {
    const word = time === undefined ? undefined : thinkTimeOf(time, this.#literals, this.#script);
    if (word === '') return;
    if (word === undefined) this.#notes.push(`line ${lineOf(node)}: a sleep of a computed time: left out.`);
    else this.#steps.push({ kind: 'pause', time: word });
  }
}
