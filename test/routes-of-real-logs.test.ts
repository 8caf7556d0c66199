import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readLog } from '../src/access-log/read-log.ts';
import type { LogTable } from '../src/model/log-table.ts';
import { buildWorkload } from '../src/workload/build-workload.ts';
import { logFile } from './support/log-source.ts';
import { tableOf } from './support/log-table.ts';
import { shared, skipWithout } from './support/paths.ts';

const isuPath = shared('logs', 'private-isu.jsonl');

/** The requests of an nginx log in JSON whose keys are known. */
function isuTable(): LogTable {
  interface Line {
    readonly time: string;
    readonly host: string;
    readonly uri: string;
    readonly status: string;
    readonly ua: string;
    readonly request_time: string;
  }
  const lines = readFileSync(isuPath!, 'utf8').trimEnd().split('\n');
  return tableOf(
    lines.map((line) => {
      const { time, host, uri, status, ua, request_time: seconds } = JSON.parse(line) as Line;
      return {
        at: Date.parse(time) / 1000 - Number(seconds),
        client: host,
        agent: ua,
        target: uri,
        status: Number(status),
        seconds: Number(seconds),
      };
    }),
  );
}

/**
 * At most so many routes, and so many that make up nine tenths of the requests, as another implementation of the same
 * rules made of them; and places that are no parameter.
 */
const FILES = [
  [
    'elastic-apache.log',
    348,
    94,
    ['/projects/xdotool', '/articles/ssh-security', '/presentations/logstash-1'],
  ],
  [
    'nasa-aug95.log',
    308,
    60,
    ['/ksc.html', '/shuttle/countdown', '/shuttle/missions/missions.html', '/history/history.html'],
  ],
  ['nasa-jul95.tsv', 308, 60, ['/shuttle/countdown', '/cgi-bin/imagemap/countdown', '/ksc.html']],
  ['hackers-access.log', 26, 7, ['/join_form', '/login_form', '/linux/doing-pxe-without-dhcp-control']],
] as const;

for (const [file, most, mostOfNineTenths, literals] of FILES) {
  const path = shared('logs', file);
  test(
    `${file} has no more routes than it should, and its pages stay apart`,
    { skip: skipWithout(path) },
    async () => {
      const { requestClasses } = buildWorkload(await readLog([logFile(path!)]), { window: 'all' });
      const routes = requestClasses.map(({ route }) => route);
      assert.ok(routes.length <= most, `${routes.length} routes`);
      let share = 0;
      const ofNineTenths = 1 + requestClasses.findIndex(({ shareRatio }) => (share += shareRatio) >= 0.9);
      assert.ok(ofNineTenths <= mostOfNineTenths, `${ofNineTenths} routes`);
      assert.deepEqual(
        literals.filter((literal) => !routes.includes(literal)),
        [],
      );
    },
  );
}

test(
  'a benchmark behind one address: few routes, popularity as published, no users to be told',
  { skip: skipWithout(isuPath) },
  () => {
    const model = buildWorkload(isuTable(), { window: 'all' });
    assert.ok(model.requestClasses.length <= 19, `${model.requestClasses.length} routes`);
    const parameterOf = (route: string): (typeof model.requestClasses)[number]['parameters'][number] =>
      model.requestClasses.find((one) => one.route === route)!.parameters[0]!;
    const posts = parameterOf('/posts/[id]');
    assert.deepEqual(
      [posts.requestCount, posts.distinctCount, posts.distinctCount + posts.unseenCount!, posts.kind],
      [269, 267, 17_823, 'too-few-repeats'],
    );
    const images = parameterOf('/image/[id].jpg');
    assert.deepEqual([images.requestCount, images.distinctCount, images.kind], [2083, 300, 'zipf']);
    assert.equal(images.zipfExponent.toFixed(2), '0.87');
    assert.equal(model.activeUsers, undefined);
    const notice = model.warnings.find(({ code }) => code === 'think-time-not-identifiable')!;
    assert.match(notice.message, /stand for several users each/);
    assert.match(notice.advice!, /open arrivals at/);
  },
);
