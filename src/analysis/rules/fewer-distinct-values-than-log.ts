import type { Finding } from '../../model/analysis.ts';
import type { PlannedRequest } from '../../model/load.ts';
import type { RequestClass } from '../../model/workload.ts';
import { percentText } from '../../stats/wording.ts';
import type { DiagnosisRule } from './rule.ts';

/** A load with at least this share of the log's values is as varied as the log. */
const ENOUGH_RATIO = 0.95;
const FAR_FEWER_RATIO = 0.5;

/**
 * A mistake: the load asks for fewer different targets than the log does, so that caches answer more often than
 * they will in earnest. Compares each planned request's distinct targets with those of its class in the log.
 */
export const fewerDistinctValuesThanLog: DiagnosisRule = {
  id: 'fewer-distinct-values-than-log',
  examine: ({ plan, workload }) =>
    (plan?.requests ?? []).flatMap((request) => {
      const known = workload?.requestClasses.find(({ id }) => id === request.id);
      return known === undefined ? [] : compare(request, known);
    }),
};

function compare(request: PlannedRequest, known: RequestClass): Finding[] {
  const sent = new Set(request.targets.targets).size;
  const logged = known.targets.distinctCount;
  if (sent >= ENOUGH_RATIO * logged) return [];
  const text = `${sent} distinct targets in the load, ${logged} in the log (${percentText(sent / logged)})`;
  return [
    {
      ruleId: 'fewer-distinct-values-than-log',
      claim: `the load of ${request.route} repeats itself more than the log: ${text}, so caches look better than they are`,
      confidence: sent < FAR_FEWER_RATIO * logged ? 'high' : 'medium',
      route: request.route,
      evidence: [{ quantity: 'distinctCount', value: sent, unit: 'count', text }],
      counterEvidence: [],
      nextExperiment:
        'draw the targets from the log: shipload model --keep-values, then run on its workload.json',
    },
  ];
}
