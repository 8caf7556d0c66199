import { type PlanKey, type PlanSection, WORKLOAD_SOURCE } from './read-plan-file.ts';

const TEXT = { type: ['string', 'number'] };
const TEXTS = { type: 'array', items: TEXT };

/** The JSON schema of plan files, for editors: sections, keys, and what each is for. */
export function planFileSchema(sections: readonly PlanSection[]): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Plan file',
    description: 'What shipload run does, in a file: shipload.yaml.',
    type: 'object',
    additionalProperties: false,
    properties: {
      targets: {
        description: "Goals such as 'p95 of /search <= 200 ms at 200 users'.",
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
      ...Object.fromEntries(sections.map((section) => [section.name, sectionSchema(section)])),
    },
  };
}

function sectionSchema({ name, description, keys }: PlanSection): object {
  const properties = Object.fromEntries(keys.map((key) => [key.name, keySchema(key)]));
  const source = {
    type: 'string',
    description: 'an access log, a workload, a scenario, a URL, or a file of HAR, OpenAPI, k6, curl or URLs',
  };
  if (name !== 'workload')
    return { description, type: ['object', 'null'], additionalProperties: false, properties };
  const object = {
    type: 'object',
    additionalProperties: false,
    properties: { [WORKLOAD_SOURCE]: source, ...properties },
  };
  return { description, anyOf: [source, object] };
}

function keySchema({ kind, description, mayBeTrue }: PlanKey): object {
  if (kind === 'switch') return { type: 'boolean', description };
  const one = mayBeTrue ? { type: ['string', 'number', 'boolean'] } : TEXT;
  return { description, anyOf: [one, TEXTS] };
}
