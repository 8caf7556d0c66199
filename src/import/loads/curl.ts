import { ShiploadError } from '../../errors.ts';
import { countText } from '../../stats/wording.ts';
import { CurlRequest } from './curl-request.ts';
import { longOption, shortOption } from './curl-options.ts';
import type { ImportedLoad, ImportedRequest, ReadFile } from './imported-load.ts';
import { Secrets } from './secrets.ts';
import { shellCommands, type ShellWord } from './shell-words.ts';

/**
 * curl commands, as people keep them and as browsers copy them, as one journey in their order. Requests to other hosts
 * than the first command's (or `origin`'s) are left out and listed. Throws `import-invalid` with file and line for a
 * quote that is never closed, and where no command sends anything.
 */
export function importCurl(
  text: string,
  file: string,
  { origin, readFile = () => undefined }: { readonly origin?: string; readonly readFile?: ReadFile } = {},
): ImportedLoad {
  const { commands, fault, expansions } = shellCommands(text);
  if (fault !== undefined)
    throw new ShiploadError('import-invalid', fault.message, { where: `${file}:${fault.line}` });
  const secrets = new Secrets();
  const notes =
    expansions.length === 0
      ? []
      : [`Shell variables are not filled in: line ${[...new Set(expansions)].slice(0, 20).join(', ')}.`];
  const sent = commands.flatMap((words) => requestsOf(words, notes, readFile));
  const host = (sent.find(({ url }) => url.origin === origin) ?? sent[0])?.url.host;
  const own = sent.filter(({ url }) => url.host === host);
  for (const { url, line } of sent)
    if (url.host !== host) notes.push(`line ${line}: goes to ${url.host}, another host, and is left out.`);
  const requests = own.flatMap((one): ImportedRequest[] => {
    const request = one.laidOut(secrets, notes);
    return request === undefined ? [] : [request];
  });
  if (requests.length === 0)
    throw new ShiploadError(
      'import-invalid',
      'no curl command here sends a request that could be taken over',
      {
        where: file,
        ...(notes[0] !== undefined && { hint: notes[0] }),
      },
    );
  const keepsCookies = own.some((one) => one.keepsCookies);
  return {
    source: 'curl',
    summary: `${countText(requests.length, 'request')} of curl commands to ${host}`,
    journeys: [
      {
        name: 'commands',
        ...(keepsCookies && { keepsCookies }),
        groups: [{ steps: requests.map((request) => ({ kind: 'request', request })) }],
      },
    ],
    secrets: secrets.list,
    notes,
  };
}

/** A prompt, as in documents. */
const PROMPTS = new Set(['$', '%', '>', '#']);

/** The requests of one command: one for each URL, apart where `--next` parts them. */
function requestsOf(
  words: readonly ShellWord[],
  notes: string[],
  readFile: ReadFile,
): readonly CurlRequest[] {
  const start = PROMPTS.has(words[0]!.text) ? 1 : 0;
  const first = words[start];
  if (first === undefined) return [];
  if (!/(?:^|[\\/])curl(?:\.exe)?$/i.test(first.text)) {
    notes.push(`line ${first.line}: "${first.text.slice(0, 40)}" is no curl command and is left out.`);
    return [];
  }
  const { line } = first;
  const requests: CurlRequest[] = [];
  let current = new CurlRequest(line, readFile);
  const end = (): void => {
    requests.push(...current.each(notes));
    current = new CurlRequest(line, readFile);
  };
  const rest = words.slice(start + 1).map((word) => word.text);
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at]!;
    const value = (): string => rest[(at += 1)] ?? '';
    if (word.startsWith('--') && word.length > 2) {
      const known = longOption(word.slice(2));
      if (known === undefined)
        notes.push(`line ${line}: curl's option ${word} is not known here and is left out.`);
      else if (known.option === 'next') end();
      else current.take(word, known.option, known.takesValue ? value() : '', notes);
    } else if (word.startsWith('-') && word.length > 1) {
      for (let letter = 1; letter < word.length; letter += 1) {
        const known = shortOption(word[letter]!);
        const name = `-${word[letter]!}`;
        if (known === undefined)
          notes.push(`line ${line}: curl's option ${name} is not known here and is left out.`);
        else if (known.option === 'next') end();
        else if (!known.takesValue) current.take(name, known.option, '', notes);
        if (known?.takesValue !== true) continue;
        const attached = word.slice(letter + 1);
        current.take(name, known.option, attached === '' ? value() : attached, notes);
        break;
      }
    } else current.take(word, 'url', word, notes);
  }
  end();
  return requests;
}
