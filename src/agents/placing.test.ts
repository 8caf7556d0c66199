import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../test/support/paths.ts';
import { agentManifest } from './placing.ts';

interface Document {
  readonly kind?: string;
  readonly spec?: {
    readonly completions?: number;
    readonly parallelism?: number;
    readonly completionMode?: string;
  };
  readonly services?: {
    readonly agent?: { readonly image?: string; readonly deploy?: { readonly replicas?: number } };
  };
}

const documentsOf = (text: string): readonly Document[] =>
  parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as Document;
  });

test('the manifest for Kubernetes is a broker and an Indexed Job of as many agents as were asked for', () => {
  const documents = documentsOf(agentManifest('k8s', { agents: 8, image: 'team/shipload:1' }));
  assert.deepEqual(
    documents.map(({ kind }) => kind),
    ['Service', 'StatefulSet', 'Job'],
  );
  const { completions, parallelism, completionMode } = documents[2]!.spec!;
  assert.deepEqual([completions, parallelism, completionMode], [8, 8, 'Indexed']);
  assert.match(JSON.stringify(documents[2]), /"image":"team\/shipload:1"/);
});

test('the compose file starts as many agents beside a broker', () => {
  const [file] = documentsOf(agentManifest('compose', { agents: 3, image: 'team/shipload:1' }));
  assert.equal(file!.services!.agent!.deploy!.replicas, 3);
  assert.equal(file!.services!.agent!.image, 'team/shipload:1');
});

test('the examples are what the command prints for four agents', () => {
  for (const kind of ['k8s', 'compose'] as const) {
    const stored = readFileSync(join(ROOT, 'examples', 'agents', `${kind}.yaml`), 'utf8');
    assert.equal(stored.trimEnd(), agentManifest(kind, { agents: 4 }).trimEnd());
  }
});
