import type { AnyNode, CallExpression } from 'acorn';
import type { HttpMethod } from '../../scenario/request-options.ts';
import { calledName, type Script } from './k6-script.ts';

/** By the name of the call: the method, and where its body and its parameters stand. */
export const CALLS: Readonly<Record<string, { method: HttpMethod; body?: number; params: number }>> = {
  get: { method: 'GET', params: 1 },
  head: { method: 'HEAD', params: 1 },
  post: { method: 'POST', body: 1, params: 2 },
  put: { method: 'PUT', body: 1, params: 2 },
  patch: { method: 'PATCH', body: 1, params: 2 },
  del: { method: 'DELETE', body: 1, params: 2 },
  options: { method: 'OPTIONS', body: 1, params: 2 },
};

/** Calls of `k6/http` anywhere within. */
export function sendingCalls(node: AnyNode, script: Script): number {
  let count = 0;
  const pending: unknown[] = [node];
  while (pending.length > 0) {
    const current = pending.pop();
    if (typeof current !== 'object' || current === null) continue;
    if (Array.isArray(current)) {
      pending.push(...(current as unknown[]));
      continue;
    }
    const { type } = current as AnyNode;
    if (typeof type !== 'string') continue;
    if (type === 'CallExpression') {
      const name = calledName(current as CallExpression, script) ?? '';
      if (/^k6\/http\.(?:get|post|put|patch|del|head|options|request|asyncRequest|batch)$/.test(name))
        count += 1;
    }
    for (const value of Object.values(current)) if (typeof value === 'object') pending.push(value);
  }
  return count;
}
