import type { AnyNode } from 'acorn';
import type { Literals } from './k6-literals.ts';
import { calledName, type Script } from './k6-script.ts';

/** A number of seconds, `randomIntBetween(1, 3)`, `Math.random() * 2 + 1`; '' for none. */
export function thinkTimeOf(node: AnyNode, literals: Literals, script: Script): string | undefined {
  const seconds = literals.valueOf(node);
  if (typeof seconds === 'number')
    return seconds > 0 && Number.isFinite(seconds) ? `${decimal(seconds)}s` : '';
  const range = rangeOf(node, literals, script);
  if (range === undefined) return undefined;
  const [low, high] = range;
  return low >= 0 && high > low && Number.isFinite(high) ? `${decimal(low)}s..${decimal(high)}s` : undefined;
}

/** The least and the most of a random expression. */
function rangeOf(node: AnyNode, literals: Literals, script: Script): readonly [number, number] | undefined {
  const value = literals.valueOf(node);
  if (typeof value === 'number') return [value, value];
  if (node.type === 'BinaryExpression') {
    const [left, right] = [rangeOf(node.left, literals, script), rangeOf(node.right, literals, script)];
    if (left === undefined || right === undefined) return undefined;
    if (node.operator === '+') return [left[0] + right[0], left[1] + right[1]];
    if (node.operator === '*') return [left[0] * right[0], left[1] * right[1]];
    return node.operator === '-' ? [left[0] - right[1], left[1] - right[0]] : undefined;
  }
  if (node.type !== 'CallExpression') return undefined;
  const name = calledName(node, script);
  if (name !== undefined && /^Math\.random$/.test(name)) return [0, 1];
  if (name === undefined || !/(?:^|\.)randomIntBetween$/.test(name)) return undefined;
  const [low, high] = node.arguments.map((one) => literals.valueOf(one));
  return typeof low === 'number' && typeof high === 'number' ? [low, high] : undefined;
}

const decimal = (value: number): string => String(Number(value.toFixed(6)));
