import type { AnyNode, Property, SpreadElement } from 'acorn';
import { isRecord } from '../../stats/is-record.ts';
import { calledName, type Script } from './k6-script.ts';

/** What is only known when the script runs. */
export const COMPUTED = Symbol('computed');

const MOST_NODES = 200_000;
const MOST_TEXT = 1 << 21;
const MOST_DEPTH = 100;

/** Told of members that are computed, by their path, and left out. */
export type OnComputed = (path: string, node: AnyNode) => void;

/**
 * The values of expressions that are written out: literals, templates and sums of them, objects, lists, names of
 * such values at the top of the script. Nothing is run; `__ENV.NAME` is taken as unset, which is noted.
 */
export class Literals {
  readonly environment = new Set<string>();
  readonly #script: Script;
  readonly #resolving = new Set<string>();
  /** Values of names, so that one used by many is found once. */
  readonly #known = new Map<string, unknown>();
  #count = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  /** The value, or COMPUTED. With `onComputed`, members of objects and lists that are computed are left out instead. */
  valueOf(node: AnyNode, onComputed?: OnComputed, path = '', depth = 0): unknown {
    this.#count += 1;
    if (this.#count > MOST_NODES || depth > MOST_DEPTH) return COMPUTED;
    const of = (inner: AnyNode): unknown => this.valueOf(inner, undefined, path, depth + 1);
    switch (node.type) {
      case 'Literal':
        return node.regex !== undefined || node.bigint !== undefined ? COMPUTED : node.value;
      case 'TemplateLiteral':
        return this.#template(
          node.quasis.map(({ value }) => value.cooked ?? ''),
          node.expressions.map(of),
        );
      case 'TaggedTemplateExpression':
        return node.tag.type === 'MemberExpression' ? of(node.quasi) : COMPUTED;
      case 'ObjectExpression':
        return this.#object(node.properties, onComputed, path, depth);
      case 'ArrayExpression':
        return this.#array(node.elements, onComputed, path, depth);
      case 'UnaryExpression':
        return unary(node.operator, of(node.argument));
      case 'BinaryExpression':
        return node.left.type === 'PrivateIdentifier'
          ? COMPUTED
          : binary(node.operator, of(node.left), of(node.right));
      case 'LogicalExpression': {
        const left = of(node.left);
        if (left === COMPUTED) return COMPUTED;
        if (node.operator === '??') return left ?? of(node.right);
        return (node.operator === '||') === Boolean(left) ? left : of(node.right);
      }
      case 'ConditionalExpression': {
        const test = of(node.test);
        return test === COMPUTED ? COMPUTED : of(test ? node.consequent : node.alternate);
      }
      case 'ParenthesizedExpression':
        return this.valueOf(node.expression, onComputed, path, depth + 1);
      case 'Identifier':
        return this.#named(node.name, onComputed, path, depth);
      case 'MemberExpression':
        return this.#member(node, of);
      case 'CallExpression':
        return this.#call(node, of);
      default:
        return COMPUTED;
    }
  }

  #template(texts: readonly string[], values: readonly unknown[]): unknown {
    const isText = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
    if (!values.every(isText)) return COMPUTED;
    return bounded(texts.map((text, i) => text + (i < values.length ? String(values[i]) : '')).join(''));
  }

  #object(
    properties: readonly (Property | SpreadElement)[],
    onComputed: OnComputed | undefined,
    path: string,
    depth: number,
  ): unknown {
    const members: [string, unknown][] = [];
    for (const property of properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.valueOf(property.argument, onComputed, path, depth + 1);
        if (isRecord(spread)) members.push(...Object.entries(spread));
        else if (onComputed === undefined) return COMPUTED;
        else onComputed(path === '' ? '...' : `${path}....`, property);
        continue;
      }
      const key = this.#key(property, depth);
      if (key === undefined && onComputed === undefined) return COMPUTED;
      const place = path === '' ? (key ?? '[…]') : `${path}.${key ?? '[…]'}`;
      const value = key === undefined ? COMPUTED : this.valueOf(property.value, onComputed, place, depth + 1);
      if (value !== COMPUTED) members.push([key!, value]);
      else if (onComputed === undefined) return COMPUTED;
      else onComputed(place, property);
    }
    return Object.fromEntries(members);
  }

  #key(property: Property, depth: number): string | undefined {
    const { key } = property;
    if (!property.computed && key.type === 'Identifier') return key.name;
    const value = this.valueOf(key, undefined, '', depth + 1);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  }

  #array(
    elements: readonly (AnyNode | null)[],
    onComputed: OnComputed | undefined,
    path: string,
    depth: number,
  ): unknown {
    const list: unknown[] = [];
    for (const [i, element] of elements.entries()) {
      const place = `${path}[${i}]`;
      const isSpread = element?.type === 'SpreadElement';
      const value =
        element === null
          ? null
          : this.valueOf(isSpread ? element.argument : element, onComputed, place, depth + 1);
      if (isSpread && Array.isArray(value)) list.push(...(value as unknown[]));
      else if (value !== COMPUTED && !isSpread) list.push(value);
      else if (onComputed === undefined) return COMPUTED;
      else onComputed(place, element!);
      if (list.length > MOST_NODES) return COMPUTED;
    }
    return list;
  }

  #named(name: string, onComputed: OnComputed | undefined, path: string, depth: number): unknown {
    if (name === 'undefined') return undefined;
    const binding = this.#script.bindings.get(name);
    if (binding === undefined || this.#resolving.has(name)) return COMPUTED;
    if (onComputed === undefined && this.#known.has(name)) return this.#known.get(name);
    this.#resolving.add(name);
    const value = this.valueOf(binding, onComputed, path, depth + 1);
    this.#resolving.delete(name);
    if (onComputed === undefined) this.#known.set(name, value);
    return value;
  }

  #member(node: Extract<AnyNode, { type: 'MemberExpression' }>, of: (node: AnyNode) => unknown): unknown {
    const { object, property } = node;
    const key =
      !node.computed && property.type === 'Identifier'
        ? property.name
        : property.type === 'PrivateIdentifier'
          ? COMPUTED
          : of(property);
    if (typeof key !== 'string' && typeof key !== 'number') return COMPUTED;
    if (object.type === 'Identifier' && object.name === '__ENV') {
      this.environment.add(String(key));
      return undefined;
    }
    const holder = object.type === 'Super' ? COMPUTED : of(object);
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return COMPUTED;
    return (holder as Record<string | number, unknown>)[key];
  }

  /** The few calls that only write a value in another way. */
  #call(node: Extract<AnyNode, { type: 'CallExpression' }>, of: (node: AnyNode) => unknown): unknown {
    const [first] = node.arguments;
    if (first === undefined || first.type === 'SpreadElement') return COMPUTED;
    const name = calledName(node, this.#script);
    if (name === 'JSON.stringify') {
      const value = node.arguments.length === 1 ? of(first) : COMPUTED;
      return value === COMPUTED || value === undefined ? COMPUTED : bounded(JSON.stringify(value));
    }
    const simple: Readonly<Record<string, (value: string) => unknown>> = {
      Number,
      parseFloat,
      parseInt: (value) => Number.parseInt(value, 10),
      String,
      encodeURIComponent: (value) => encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '')),
    };
    if (name === undefined || !Object.hasOwn(simple, name)) return COMPUTED;
    const value = of(first);
    if (value === undefined && /^(?:Number|parse)/.test(name)) return Number.NaN;
    return typeof value === 'string' || typeof value === 'number' ? simple[name]!(String(value)) : COMPUTED;
  }
}

const bounded = (text: string): unknown => (text.length > MOST_TEXT ? COMPUTED : text);

function unary(operator: string, value: unknown): unknown {
  if (value === COMPUTED) return COMPUTED;
  if (operator === '!') return !value;
  if (operator === '-' && typeof value === 'number') return -value;
  return operator === '+' && (typeof value === 'number' || typeof value === 'string')
    ? Number(value)
    : COMPUTED;
}

function binary(operator: string, left: unknown, right: unknown): unknown {
  if (left === COMPUTED || right === COMPUTED) return COMPUTED;
  if (operator === '===' || operator === '==') return left === right;
  if (operator === '!==' || operator === '!=') return left !== right;
  if (typeof left === 'number' && typeof right === 'number') {
    if (operator === '+') return left + right;
    if (operator === '-') return left - right;
    if (operator === '*') return left * right;
    return operator === '/' ? left / right : COMPUTED;
  }
  const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
  return operator === '+' && isText(left) && isText(right)
    ? bounded(`${String(left)}${String(right)}`)
    : COMPUTED;
}
