import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assemble } from './wat.ts';

interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => {
    readonly exports: Readonly<Record<string, (...numbers: number[]) => number>>;
  };
}
const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;

const exportsOf = (text: string): Readonly<Record<string, (...numbers: number[]) => number>> =>
  new Instance(new Module(assemble(text))).exports;

test('a loop with a branch, a call and constants of every length come out as written', () => {
  const { sum, big } = exportsOf(`(module
    (memory (export "memory") 1)
    (func $next (param $n i32) (result i32) (i32.sub (local.get $n) (i32.const 1)))
    ;; n + (n − 1) + … + 1
    (func $sum (export "sum") (param $n i32) (result i32) (local $total i32)
      (loop $more
        (if (local.get $n) (then
          (local.set $total (i32.add (local.get $total) (local.get $n)))
          (local.set $n (call $next (local.get $n)))
          (br $more))
        (else (return (local.get $total)))))
      (i32.const -1))
    (func $big (export "big") (param $n i32) (result i32)
      (i32.add (local.get $n) (i32.const 0x7fffffff))))`);
  assert.equal(sum!(100), 5050);
  for (const n of [0, -1, -64, -65, -8192, -2_147_483_647]) assert.equal(big!(n), (n + 0x7fffffff) | 0);
});

for (const [what, text] of [
  ['an instruction', '(module (memory (export "m") 1) (func $f (i32.divide (i32.const 1) (i32.const 1))))'],
  ['a local', '(module (memory (export "m") 1) (func $f (result i32) (local.get $x)))'],
  ['a type', '(module (memory (export "m") 1) (func $f (param $x i65)))'],
] as const)
  test(`${what} that is not known is refused`, () => {
    assert.throws(() => assemble(text), /there is no/);
  });
