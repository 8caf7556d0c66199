import {
  createCgroupSource,
  createListenerSource,
  createMachineSource,
  createProcessSource,
  type CounterSource,
  openEndpointSource,
} from '../counters/index.ts';
import { createPageReader } from '../host/fetch-page.ts';
import { requireOwnAddress } from '../host/own-address.ts';
import { portOf } from '../host/probe.ts';
import type { ServiceRequest } from './open-service.ts';

/**
 * Everything that is watched beside the load: the process, its port and its cgroup where there is one to watch,
 * the machine, and the pages on which the service tells of itself. Throws `metrics-unreadable` where a page
 * that was asked for cannot be read, and `url-not-yours` where it is another machine's.
 */
export async function openCounters(
  request: ServiceRequest,
  pid: number | undefined,
  serverCount: number | undefined,
): Promise<readonly CounterSource[]> {
  const pages: CounterSource[] = [];
  try {
    for (const page of request.pages ?? []) pages.push(await openPage(page, request.url));
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

async function openPage(page: string, service: URL): Promise<CounterSource> {
  const url = new URL(page, service);
  await requireOwnAddress(url);
  const reader = createPageReader(url);
  try {
    const source = await openEndpointSource(() => reader.read(), { path: url.pathname });
    return { ...source, read: () => source.read(), close: () => (source.close(), reader.close()) };
  } catch (error) {
    reader.close();
    throw error;
  }
}
