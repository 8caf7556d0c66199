import { ShiploadError } from '../../errors.ts';
import { countText, percentText, secondsText } from '../../stats/wording.ts';
import { AnswerValues } from './answer-values.ts';
import { type HarEntry, harEntries } from './har-entries.ts';
import { requestOf } from './har-request.ts';
import { HarWalk } from './har-walk.ts';
import { type ImportedLoad, type ImportedRequest, methodOf } from './imported-load.ts';
import { Secrets } from './secrets.ts';

/**
 * A recording of a browser (HAR 1.2) as one journey: a group for each page, what a page loads in order of its start,
 * and a pause where nothing was under way before the next request. Static files stand apart; requests to other hosts
 * than the first page's (or `origin`'s) are counted and left out. Throws `import-invalid` where nothing is left.
 */
export function importHar(text: string, file: string, origin?: string): ImportedLoad {
  const archive = harEntries(text, file);
  const sent = archive.entries.filter(({ isCached, status }) => !isCached && status !== 0);
  const host = hostOf(sent, origin);
  const ofHost = sent.filter(({ url }) => url.host === host);
  const own = ofHost.filter(({ method }) => methodOf(method) !== undefined);
  const requests = own.filter(({ isStatic }) => !isStatic);
  if (requests.length === 0)
    throw new ShiploadError('import-invalid', 'the archive holds no request that a load could send', {
      where: file,
      hint: `It has ${countText(archive.entries.length, 'request')}; record again with the pages of the service.`,
    });
  const values = new AnswerValues();
  const secrets = new Secrets((value) => values.keep(value));
  const walk = new HarWalk(own, archive.entries, archive.pages, secrets, values);
  const assets = own.filter(({ isStatic }) => isStatic).map((entry) => requestOf(entry, secrets, walk.notes));
  const notes = [
    ...leftOut(archive.entries, archive.otherCount, host),
    ...otherMethods(ofHost),
    ...walk.notes,
  ];
  const staticText =
    assets.length === 0
      ? ''
      : `, ${countText(assets.length, 'static file')} apart (${percentText(assets.length / own.length)} of its requests)`;
  const thinkText = walk.pauseMs > 0 ? `, ${secondsText(walk.pauseMs / 1000)} of think time in all` : '';
  return {
    source: 'har',
    summary: `an HTTP Archive of ${host}: ${countText(requests.length, 'request')} on ${countText(walk.pageCount, 'page')}${staticText}${thinkText}`,
    journeys: [{ name: 'recorded', keepsCookies: true, groups: walk.groups(values) }],
    ...(walk.cookie !== undefined && { headers: { Cookie: walk.cookie } }),
    assets: withoutRepeats(assets),
    secrets: secrets.list,
    notes,
  };
}

/** Where the first page came from, unless the archive has the place where the load goes. */
function hostOf(entries: readonly HarEntry[], origin: string | undefined): string | undefined {
  const asked = entries.find(({ url }) => url.origin === origin);
  if (asked !== undefined) return asked.url.host;
  const page = entries.find(({ answer, isStatic }) => !isStatic && /html/i.test(answer.type));
  return (page ?? entries.find(({ isStatic }) => !isStatic) ?? entries[0])?.url.host;
}

function leftOut(
  entries: readonly HarEntry[],
  otherCount: number,
  host: string | undefined,
): readonly string[] {
  const others = new Map<string, number>();
  for (const { url } of entries) if (url.host !== host) others.set(url.host, (others.get(url.host) ?? 0) + 1);
  const cached = entries.filter((entry) => entry.url.host === host && entry.isCached).length;
  const aborted = entries.filter(
    (entry) => entry.url.host === host && !entry.isCached && entry.status === 0,
  ).length;
  const hosts = [...others].map(([name, count]) => `${name} (${count})`);
  return [
    ...(hosts.length === 0
      ? []
      : [
          `Requests to other hosts are left out: ${hosts.slice(0, 20).join(', ')}${hosts.length > 20 ? ', …' : ''}.`,
        ]),
    ...(cached === 0 ? [] : [`${countText(cached, 'request')} that the browser's cache answered: left out.`]),
    ...(aborted === 0 ? [] : [`${countText(aborted, 'request')} without an answer: left out.`]),
    ...(otherCount === 0
      ? []
      : [`${countText(otherCount, 'entry').replace('entrys', 'entries')} not over HTTP: left out.`]),
  ];
}

const otherMethods = (entries: readonly HarEntry[]): readonly string[] =>
  entries
    .filter(({ method }) => methodOf(method) === undefined)
    .map(({ method, url }) => `${method} ${url.pathname}: left out, scenarios do not send ${method}.`);

function withoutRepeats(assets: readonly ImportedRequest[]): readonly ImportedRequest[] {
  const byTarget = new Map(assets.map((asset) => [JSON.stringify(asset.target), asset]));
  return [...byTarget.values()];
}
