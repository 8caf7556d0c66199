import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fixture, shared } from './paths.ts';

/** A truth file: the whole one where it lies beside the clone, else the copy of its key figures in the fixtures. */
export function readTruth(name: string): unknown {
  return JSON.parse(readFileSync(shared('truth', name) ?? fixture('truth', name), 'utf8'));
}

/** Asserts |actual − expected| ≤ tolerance·|expected| (or within 1e-12 where 0 is expected). */
export function near(actual: number | undefined, expected: number, tolerance: number, what: string): void {
  const allowed = Math.max(tolerance * Math.abs(expected), 1e-12);
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= allowed,
    `${what}: ${actual}, expected ${expected} within ${tolerance}`,
  );
}
