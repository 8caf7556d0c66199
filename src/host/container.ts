import { execFile } from 'node:child_process';
import { isIP } from 'node:net';
import { z } from 'zod';
import { ShiploadError } from '../errors.ts';
import { isOnOwnNetwork } from './own-address.ts';

/** A running container of this host. */
export interface Container {
  readonly name: string;
  /** Its addresses on networks of this host; none where it shares the host's own. */
  readonly addresses: readonly string[];
  /** Its first process, as this host numbers it. */
  readonly pid?: number;
}

/** Both tools inspect a container in the same words. */
const TOOLS: readonly string[] = ['docker', 'podman'];
const TIMEOUT_MILLISECONDS = 10_000;

const inspection = z.array(
  z.object({
    State: z.object({ Running: z.boolean(), Pid: z.number() }),
    NetworkSettings: z.object({
      Networks: z.record(
        z.string(),
        z.object({ IPAddress: z.string().default(''), GlobalIPv6Address: z.string().default('') }),
      ),
    }),
  }),
);

/**
 * Finds a container by docker or podman. Addresses outside the networks of this machine do not count: the tool
 * may talk to a daemon elsewhere. Throws `container-not-found` when there is no tool, no such container, or it
 * does not run.
 */
export async function findContainer(name: string): Promise<Container> {
  if (!/^[\w][\w.-]*$/.test(name)) throw notFound(name, 'that is no name of a container');
  const complaints: string[] = [];
  for (const tool of TOOLS) {
    const answer = await inspect(tool, name);
    if (answer.text !== undefined) return readInspection(name, tool, answer.text);
    complaints.push(`${tool}: ${answer.complaint}`);
  }
  throw notFound(name, complaints.join('; '));
}

function inspect(
  tool: string,
  name: string,
): Promise<{ readonly text?: string; readonly complaint: string }> {
  return new Promise((resolve) => {
    const args = ['inspect', '--type', 'container', name];
    execFile(tool, args, { timeout: TIMEOUT_MILLISECONDS }, (error, stdout, stderr) => {
      if (error === null) resolve({ text: stdout, complaint: '' });
      else if (error.code === 'ENOENT') resolve({ complaint: 'not installed' });
      else resolve({ complaint: stderr.trim().split('\n')[0] || error.message });
    });
  });
}

function readInspection(name: string, tool: string, text: string): Container {
  const read = inspection.safeParse(parseOrNothing(text));
  const [found] = read.data ?? [];
  if (found === undefined) throw notFound(name, `${tool} answered what cannot be read`);
  if (!found.State.Running) throw notFound(name, 'it does not run');
  const given = Object.values(found.NetworkSettings.Networks)
    .flatMap((network) => [network.IPAddress, network.GlobalIPv6Address])
    .filter((address) => isIP(address) > 0);
  const addresses = given.filter(isOnOwnNetwork);
  if (given.length > 0 && addresses.length === 0)
    throw notFound(name, `its address ${given[0]} is on no network of this machine`);
  return { name, addresses, ...(found.State.Pid > 0 && { pid: found.State.Pid }) };
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notFound(name: string, why: string): ShiploadError {
  return new ShiploadError('container-not-found', `the container "${name}" is not to be found: ${why}`, {
    where: '--container',
    hint: 'docker ps (or podman ps) lists the containers that run.',
  });
}
