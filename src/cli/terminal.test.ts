import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processTerminal } from './terminal.ts';

test('what is said while a screen is open acts on no terminal when the screen has closed', (t) => {
  const written: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => {
    written.push(text);
    return true;
  });
  const isTty = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  const term = process.env['TERM'];
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  process.env['TERM'] = 'xterm';
  t.after(() => {
    if (isTty === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
    else Object.defineProperty(process.stderr, 'isTTY', isTty);
    process.env['TERM'] = term;
  });
  const terminal = processTerminal({ quiet: false, json: false });
  const heard: string[] = [];
  const screen = terminal.openScreen({
    onKey: () => undefined,
    onResize: () => undefined,
    onSay: (text) => heard.push(text),
  })!;
  terminal.say('the service said \u001b]0;gone\u0007');
  assert.equal(heard.length, 1);
  assert.ok(!written.some((text) => text.includes('gone')));
  screen.close();
  assert.equal(written.at(-1), 'the service said \\u001b]0;gone\\u0007\n');
});
