import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../test/support/paths.ts';
import { OPTIONS } from '../cli/options/index.ts';
import { permissionsPath } from '../host/permissions.ts';
import { agentManifest } from './placing.ts';

/** A container, or a service of a compose file, as far as it matters. */
interface Placed {
  readonly image?: string;
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly volumes?: readonly string[];
  readonly deploy?: { readonly replicas?: number };
}

interface Document {
  readonly kind?: string;
  readonly spec?: {
    readonly completions?: number;
    readonly parallelism?: number;
    readonly completionMode?: string;
    readonly backoffLimit?: number;
    readonly backoffLimitPerIndex?: number;
    readonly template?: {
      readonly spec: {
        readonly restartPolicy?: string;
        readonly containers: readonly Placed[];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
  readonly services?: { readonly agent?: Placed };
}

const documentsOf = (text: string): readonly Document[] =>
  parseAllDocuments(text).map((document) => {
    assert.deepEqual([...document.errors, ...document.warnings], []);
    return document.toJS() as Document;
  });

/** Options of the agent that a file starts, as the command line takes them. */
const optionsOf = ({ command }: Placed): ReadonlyMap<string, string | undefined> =>
  new Map(
    command.slice(2).map((word) => {
      const [flag, value] = word.split(/=(.*)/s);
      return [flag!, value];
    }),
  );

function requireKnown(placed: Placed): void {
  const known = new Set(Object.values(OPTIONS).map(({ flags }) => /--[a-z-]+/.exec(flags)![0]));
  for (const flag of optionsOf(placed).keys()) assert.ok(known.has(flag), flag);
  assert.ok(optionsOf(placed).has('--agents-timeout'), 'a broker that is started beside it takes its time');
}

test('the manifest for Kubernetes is a broker and an Indexed Job of as many agents as were asked for', () => {
  const documents = documentsOf(agentManifest('k8s', { agents: 8, image: 'team/shipload:1' }));
  assert.deepEqual(
    documents.map(({ kind }) => kind),
    ['Service', 'StatefulSet', 'Job'],
  );
  const { completions, parallelism, completionMode, template, ...limits } = documents[2]!.spec!;
  assert.deepEqual([completions, parallelism, completionMode], [8, 8, 'Indexed']);
  // One limit for the whole Job would end all agents when one of them is lost.
  assert.deepEqual(limits, { backoffLimitPerIndex: 0 });
  const { restartPolicy, containers, volumes = [] } = template!.spec;
  assert.equal(restartPolicy, 'Never');
  const [agent] = containers;
  assert.equal(agent!.image, 'team/shipload:1');
  requireKnown(agent!);
  const mounts = agent!.volumeMounts!;
  assert.deepEqual(mounts.map(({ name }) => name).toSorted(), volumes.map(({ name }) => name).toSorted());
  // Each agent proves the service by permissions of its own: they lie where it looks for them.
  const home = agent!.env!.find(({ name }) => name === 'XDG_CONFIG_HOME')!.value!;
  const folder = dirname(permissionsPath({ XDG_CONFIG_HOME: home }));
  assert.ok(mounts.some(({ mountPath }) => mountPath === folder));
});

test('the compose file starts as many agents beside a broker', () => {
  const [file] = documentsOf(agentManifest('compose', { agents: 3, image: 'team/shipload:1' }));
  const agent = file!.services!.agent!;
  assert.equal(agent.deploy!.replicas, 3);
  assert.equal(agent.image, 'team/shipload:1');
  requireKnown(agent);
  const path = permissionsPath(agent.environment);
  assert.ok(agent.volumes!.includes(`./permissions.json:${path}:ro`));
});

test('the examples are what the command prints for four agents', () => {
  for (const kind of ['k8s', 'compose'] as const) {
    const stored = readFileSync(join(ROOT, 'examples', 'agents', `${kind}.yaml`), 'utf8');
    assert.equal(stored.trimEnd(), agentManifest(kind, { agents: 4 }).trimEnd());
  }
});
