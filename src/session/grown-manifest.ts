import type { RunEvent } from '../drive/run-plan.ts';
import type { RunFolder } from '../host/run-folder.ts';
import type { RunManifest } from '../model/record.ts';

/** A manifest whose plan takes in the steps that a run adds to it. */
export interface GrownManifest {
  /** With every step begun so far. */
  readonly current: () => RunManifest;
  readonly listener: (event: RunEvent) => void;
}

/** Watches a run for steps that are not in its plan, and keeps `run.json` with them. */
export function growManifest(manifest: RunManifest, folder: RunFolder): GrownManifest {
  let current = manifest;
  return {
    current: () => current,
    listener: (event) => {
      if (event.kind !== 'step-started' || event.step.index < current.plan.steps.length) return;
      current = { ...current, plan: { ...current.plan, steps: [...current.plan.steps, event.step] } };
      folder.replaceManifest(current);
    },
  };
}
