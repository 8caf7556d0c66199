import type { WorkloadModel } from '../model/workload.ts';
import { ShiploadError } from '../errors.ts';
import { type ModelledLog, modelLog, modelLogRows } from '../pipeline.ts';
import { parseWorkload } from '../record/validate.ts';
import { routesOfOpenApi } from '../workload/openapi-routes.ts';
import type { RouteRule } from '../workload/route-overrides.ts';
import { parsedData } from '../import/loads/openapi-document.ts';
import { parseRoutes } from '../workload/routes-file.ts';
import { openLogs, parseJson, readHead, readText } from './read-text.ts';

/** How a log is read, where the input is one. */
export interface LogOptions {
  readonly format?: string;
  readonly window?: string;
  readonly sessionTimeoutSeconds?: number;
  /** Path of a routes file or an API description in JSON or YAML. */
  readonly routesPath?: string;
  readonly keepValues?: boolean;
}

/**
 * The workload of an input file: a `workload.json` as it stands, or an access log modelled. Which it is shows
 * in the first bytes. Throws what reading either throws.
 */
export async function openWorkload(path: string, options: LogOptions): Promise<WorkloadModel> {
  if (await isWorkloadFile(path))
    return parseWorkload(parseJson(await readText(path), path, 'workload-invalid'), path);
  return modelLogs([path], options);
}

/**
 * An access log with its workload and its requests one by one. Throws `option-invalid` for a `workload.json`, which
 * does not hold them, and what reading a log throws.
 */
export async function openReplay(path: string, options: LogOptions): Promise<ModelledLog> {
  if (!(await isWorkloadFile(path))) return modelledLog([path], options, modelLogRows);
  throw new ShiploadError('option-invalid', 'a replay takes the access log, not the workload made from it', {
    where: path,
    hint: 'A workload holds how often what was asked for, not when.',
  });
}

/** The workload of access logs, with the routes of a file before what is learned. Throws what reading either throws. */
export async function modelLogs(paths: readonly string[], options: LogOptions): Promise<WorkloadModel> {
  return modelledLog(paths, options, modelLog);
}

async function modelledLog<Result>(
  paths: readonly string[],
  { routesPath, ...rest }: LogOptions,
  model: (...log: Parameters<typeof modelLog>) => Promise<Result>,
): Promise<Result> {
  const routes = routesPath === undefined ? undefined : await openRoutes(routesPath);
  return model(await openLogs(paths), { ...rest, ...(routes !== undefined && { routes }) });
}

/** A routes file, or the paths of an API description: JSON begins with a brace, YAML says its version. */
async function openRoutes(path: string): Promise<readonly RouteRule[]> {
  const text = await readText(path);
  if (/^\s*\{/.test(text)) return routesOfOpenApi(parseJson(text, path), path);
  if (/^["']?(?:openapi|swagger)["']?:/m.test(text)) return routesOfOpenApi(parsedData(text, path), path);
  return parseRoutes(text, path);
}

/**
 * A JSON log also begins with a brace. A workload says what it is among its first fields; one that was edited and
 * says so no more is still meant as one where it is a `.json` file whose first line is no whole object.
 */
export async function isWorkloadFile(path: string): Promise<boolean> {
  if (path === '-') return false;
  const head = await readHead(path);
  if (head === undefined) return false;
  const isPretty = /^\s*[[{]/.test(head) && !/^\s*\{[^\n]*\}\s*(\n|$)/.test(head);
  return /^\s*\{\s*"kind"\s*:\s*"workload"/.test(head) || (path.endsWith('.json') && isPretty);
}
