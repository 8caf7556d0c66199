import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import test from 'node:test';
import { startBurner } from '../../test/support/burner.ts';
import { ShiploadError } from '../errors.ts';
import type { CounterReading, CounterSource } from './counter-source.ts';
import { findPidByPort } from './find-process.ts';
import { createGeneratorSource } from './generator.ts';
import { readKernelUnits } from './kernel-units.ts';
import { createProcessSource } from './linux-proc.ts';
import { createMachineSource } from './machine.ts';
import { hasProc, readProcessStat } from './proc-files.ts';
import { usableCores } from './usable-cores.ts';

const linux = { skip: hasProc() ? false : 'there is no /proc here' };

const find = (readings: readonly CounterReading[], quantity: string): CounterReading => {
  const found = readings.find((reading) => reading.quantity === quantity);
  assert.ok(found, `no ${quantity} among the readings`);
  return found;
};
const value = (source: CounterSource, quantity: string): number => find(source.read(), quantity).value;

/** Two ticks at either end of a window, and a little work between the child's own figure and our reading. */
const CPU_TOLERANCE_SECONDS = 0.04 + 0.01;

test('the CPU time of a process agrees with what the process itself was charged', linux, async () => {
  const burner = startBurner();
  try {
    const ownBefore = await burner.tell({ burnSeconds: 0.05 });
    const source = createProcessSource(burner.pid);
    const before = value(source, 'cpuSeconds');
    const ownAfter = await burner.tell({ burnSeconds: 0.3 });
    const used = value(source, 'cpuSeconds') - before;
    const difference = used - (ownAfter - ownBefore);
    assert.ok(Math.abs(difference) < CPU_TOLERANCE_SECONDS, `differs by ${difference} s`);
  } finally {
    await burner.end();
  }
});

test('the busiest thread is the one that burns, not the sum and not the main thread', linux, async () => {
  const burner = startBurner();
  try {
    await burner.tell({ burnSeconds: 0.1 });
    const source = createProcessSource(burner.pid);
    assert.ok(value(source, 'busiestThreadCpuSeconds') < 0.05, 'what came before does not count');
    const threadCount = value(source, 'threadCount');
    const burning = burner.tell({ burnInThreadSeconds: 0.3 });
    let highestThreadCount = 0;
    const watch = setInterval(() => {
      highestThreadCount = Math.max(highestThreadCount, value(source, 'threadCount'));
    }, 20);
    await burning;
    clearInterval(watch);
    const readings = source.read();
    const busiest = find(readings, 'busiestThreadCpuSeconds');
    assert.equal(busiest.capacity, 1);
    // The process uses 0.3 s meanwhile; the thread gets most of it, and readings are 20 ms apart.
    assert.ok(busiest.value > 0.15, `${busiest.value} s`);
    assert.ok(highestThreadCount > threadCount);
    assert.ok(find(readings, 'cpuSeconds').value >= busiest.value);
  } finally {
    await burner.end();
  }
});

test('children count while they live and keep their CPU time when they end, also unseen', linux, async () => {
  const burner = startBurner();
  try {
    const source = createProcessSource(burner.pid);
    const rssAlone = value(source, 'rssBytes');
    const before = value(source, 'cpuSeconds');
    await burner.tell({ burnInChildSeconds: 0.2 });
    const afterUnseen = value(source, 'cpuSeconds');
    assert.ok(afterUnseen - before >= 0.2 - CPU_TOLERANCE_SECONDS, `unseen child: ${afterUnseen - before} s`);

    let last = afterUnseen;
    const watch = setInterval(() => {
      const now = value(source, 'cpuSeconds');
      assert.ok(now >= last, `fell from ${last} to ${now}`);
      last = now;
    }, 15);
    await burner.tell({ burnInChildSeconds: 0.2 });
    clearInterval(watch);
    const seen = value(source, 'cpuSeconds') - afterUnseen;
    // The burning itself, and the start of a process, which the first child shows to be less than the rest of it.
    assert.ok(seen >= 0.2 - CPU_TOLERANCE_SECONDS, `seen child: ${seen} s`);
    assert.ok(seen < 2 * (afterUnseen - before), `counted twice: ${seen} s`);

    await burner.tell({ keepChild: true });
    assert.ok(value(source, 'rssBytes') > rssAlone * 1.5, 'a living child adds its memory');
  } finally {
    await burner.end();
  }
});

test('descriptors and the odd name of a process are read', linux, async () => {
  const burner = startBurner();
  try {
    await burner.tell({ burnSeconds: 0 });
    const source = createProcessSource(burner.pid);
    const before = value(source, 'descriptorCount');
    await burner.tell({ openDescriptors: 40 });
    assert.equal(value(source, 'descriptorCount') - before, 40);
    assert.ok(find(source.read(), 'descriptorCount').capacity! >= 256);
    await burner.tell({ title: 'a) R (b 1 2' });
    assert.equal(readProcessStat(burner.pid)?.name, 'a) R (b 1 2');
    assert.ok(value(source, 'cpuSeconds') > 0);
  } finally {
    await burner.end();
  }
});

test('a thread that always wants a core runs or waits for one all the time', linux, async () => {
  const burner = startBurner();
  try {
    await burner.tell({ burnSeconds: 0.05 });
    const source = createProcessSource(burner.pid);
    const before = source.read();
    const startedAt = performance.now();
    await burner.tell({ burnSeconds: 0.3 });
    const wallSeconds = (performance.now() - startedAt) / 1000;
    const after = source.read();
    const grown = (quantity: string): number => find(after, quantity).value - find(before, quantity).value;
    const ready = grown('cpuSeconds') + grown('runQueueWaitSeconds');
    // Beside the burning thread those of the engine take turns; two ticks at either end.
    assert.ok(ready > 0.8 * wallSeconds && ready < 1.3 * wallSeconds + 0.04, `${ready} of ${wallSeconds} s`);
    assert.ok(grown('voluntarySwitchCount') >= 1, 'it waited for the order');
    assert.match(find(after, 'busiestThreadCpuSeconds').label ?? '', /^\S+ \(thread \d+\)$/);
  } finally {
    await burner.end();
  }
});

test('a child that ends is counted, and what it did stays in the sums', linux, async () => {
  const burner = startBurner();
  try {
    await burner.tell({ burnSeconds: 0 });
    const source = createProcessSource(burner.pid);
    assert.equal(value(source, 'endedProcessCount'), 0);
    let highest = 0;
    const watch = setInterval(() => (highest = Math.max(highest, value(source, 'processCount'))), 10);
    const switchesBefore = value(source, 'voluntarySwitchCount');
    await burner.tell({ burnInChildSeconds: 0.1 });
    clearInterval(watch);
    assert.equal(highest, 2);
    assert.equal(value(source, 'processCount'), 1);
    assert.equal(value(source, 'endedProcessCount'), 1);
    assert.ok(value(source, 'voluntarySwitchCount') > switchesBefore);
  } finally {
    await burner.end();
  }
});

test('a source whose process has ended is gone, says so, and reads nothing more', linux, async () => {
  const burner = startBurner();
  const source = createProcessSource(burner.pid);
  assert.equal(source.read().length > 0, true);
  assert.equal(source.gone, false);
  await burner.end();
  assert.deepEqual(source.read(), []);
  assert.equal(source.gone, true);
  assert.match(source.goneReason ?? '', new RegExp(`process ${burner.pid} ended`));
});

test(
  'a number that names another process by now is noticed, and the other is not counted',
  linux,
  async (t) => {
    const burner = startBurner();
    const source = createProcessSource(burner.pid);
    source.read();
    await burner.end();
    const other = await spawnAs(burner.pid);
    if (other === undefined)
      return t.skip('the number of the next process cannot be chosen here (needs root)');
    try {
      assert.deepEqual(source.read(), []);
      assert.equal(source.gone, true);
      assert.match(
        source.goneReason ?? '',
        new RegExp(`process ${burner.pid} ended, and its number now names another process \\(sleep\\)`),
      );
      // It stays gone: what is found at the number later is never the service.
      assert.deepEqual(source.read(), []);
    } finally {
      other.kill('SIGKILL');
    }
  },
);

/** A process with this number, which must be free: the kernel gives the one after the last (`ns_last_pid`). */
async function spawnAs(pid: number): Promise<ChildProcess | undefined> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
    } catch {
      return undefined;
    }
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    if (child.pid === pid) return child;
    child.kill('SIGKILL');
  }
  return undefined;
}

test('memory agrees with what the process knows of itself', linux, () => {
  const rssBytes = value(createProcessSource(process.pid), 'rssBytes');
  // Heap growth between the two figures, and children that other tests of this process have running: none.
  assert.ok(Math.abs(rssBytes / process.memoryUsage().rss - 1) < 0.1);
});

test('m is what affinity and quota allow unless the caller knows better', linux, () => {
  const { cores, source } = usableCores(process.pid);
  assert.ok(cores > 0 && cores <= cpus().length);
  assert.match(source, /^(affinity|CPU quota), /);
  assert.equal(find(createProcessSource(process.pid).read(), 'cpuSeconds').capacity, cores);
  assert.equal(find(createProcessSource(process.pid, 1).read(), 'cpuSeconds').capacity, 1);
});

test('the kernel says its own units', linux, () => {
  const { pageBytes, ticksPerSecond } = readKernelUnits();
  assert.equal(Math.log2(pageBytes) % 1, 0);
  assert.ok(ticksPerSecond >= 100 && ticksPerSecond <= 1024);
});

test('the machine is at least as busy as a process on it', linux, async () => {
  const burner = startBurner();
  try {
    await burner.tell({ burnSeconds: 0 });
    const machine = createMachineSource();
    const before = find(machine.read(), 'cpuBusySeconds');
    await burner.tell({ burnSeconds: 0.3 });
    const readings = machine.read();
    const busy = find(readings, 'cpuBusySeconds').value - before.value;
    // Each of the six kinds of time on each core is cut down to a tick.
    assert.ok(busy >= 0.3 - 0.01 * 6, `${busy} s`);
    assert.equal(before.capacity, cpus().length);
    for (const quantity of ['loadPerCore', 'runQueuePerCore']) assert.ok(find(readings, quantity).value >= 0);
  } finally {
    await burner.end();
  }
});

test('the generator sees its own CPU time and how late its event loop was', async () => {
  const generator = createGeneratorSource(2);
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
  await pause();
  const before = find(generator.read(), 'cpuSeconds').value;
  const start = process.cpuUsage();
  const blockedUntil = performance.now() + 150;
  while (performance.now() < blockedUntil);
  const { user, system } = process.cpuUsage(start);
  await pause();
  const readings = generator.read();
  generator.close();
  const used = find(readings, 'cpuSeconds');
  assert.equal(used.capacity, 2);
  assert.ok(used.value - before >= (user + system) / 1e6);
  // The loop was blocked 150 ms, and the beat in it was due after at most 20; timers go by whole milliseconds.
  assert.ok(find(readings, 'eventLoopDelayMaxSeconds').value >= 0.15 - 0.02 - 0.002);
});

test('the process behind a port is found, and a port without one says what to do', linux, async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  assert.equal(findPidByPort(port), process.pid);
  await new Promise((resolve) => server.close(resolve));
  assert.throws(() => findPidByPort(port), notFound(/nothing listens on port/));
});

test('a pid without a process is refused', linux, () => {
  assert.throws(() => createProcessSource(2 ** 22 + 1), notFound(/there is no process 4194305/));
  assert.throws(() => usableCores(2 ** 22 + 1), notFound(/there is no process 4194305/));
});

function notFound(message: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof ShiploadError &&
    error.code === 'process-not-found' &&
    message.test(error.message) &&
    (error.hint ?? '') !== '';
}
