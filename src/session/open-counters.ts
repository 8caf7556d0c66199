import {
  createCgroupSource,
  createListenerSource,
  createMachineSource,
  createProcessSource,
  type CounterSource,
  openEndpointSource,
} from '../counters/index.ts';
import { createPageReader } from '../host/fetch-page.ts';
import { requireOwnAddresses } from '../host/target-guard.ts';
import { portOf } from '../host/probe.ts';
import type { ServiceRequest } from './open-service.ts';

/**
 * Everything that is watched beside the load: the process, its port and its cgroup where there is one to watch,
 * the machine, and the pages on which the service tells of itself. Throws `metrics-unreadable` where a page
 * that was asked for cannot be read, and `url-not-yours` where it is another machine's.
 */
export async function openCounters(
  request: ServiceRequest,
  addresses: readonly string[],
  pid: number | undefined,
  serverCount: number | undefined,
): Promise<readonly CounterSource[]> {
  const pages: CounterSource[] = [];
  try {
    for (const page of request.pages ?? []) pages.push(await openPage(page, request.url, addresses));
    return [...ofProcess(request, pid, serverCount), createMachineSource(), ...pages];
  } catch (error) {
    for (const source of pages) source.close();
    throw error;
  }
}

function ofProcess(
  request: ServiceRequest,
  pid: number | undefined,
  serverCount: number | undefined,
): readonly CounterSource[] {
  if (pid === undefined) return [];
  const cgroup = createCgroupSource(pid);
  return [
    createProcessSource(pid, serverCount),
    ...(request.socketPath === undefined ? [createListenerSource(pid, portOf(request.url))] : []),
    ...(cgroup === undefined ? [] : [cgroup]),
  ];
}

/** A page at the service's own url lies at an address already proven; any other must be this machine's. */
async function openPage(page: string, service: URL, addresses: readonly string[]): Promise<CounterSource> {
  const url = new URL(page, service);
  const isService = url.origin === service.origin && addresses.length > 0;
  const [address] = isService ? addresses : await requireOwnAddresses(url, '--metrics, --stats');
  const reader = createPageReader(url, address);
  try {
    const source = await openEndpointSource(() => reader.read(), { path: url.pathname });
    return { ...source, read: () => source.read(), close: () => (source.close(), reader.close()) };
  } catch (error) {
    reader.close();
    throw error;
  }
}
