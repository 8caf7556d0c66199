import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ShiploadError } from '../errors.ts';

/** A line of `requests.csv`; a route with a comma or a quote in it is quoted. */
const ROW = /^([\d.]+),("(?:[^"]|"")*"|[^",]*),([\d.]+),([01])$/;

/**
 * The rows of a `requests.csv` (one a request, `run --samples`) as a Parquet file, in SI units: `atSeconds`, `route`,
 * `responseTimeSeconds`, `failed`. Throws `file-not-found` where no rows were kept, `record-invalid` for a line
 * that is none.
 */
export async function parquetOfRequests(path: string): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columns = await readColumns(path);
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'atSeconds', data: columns.atSeconds, type: 'DOUBLE', nullable: false },
      { name: 'route', data: columns.routes, type: 'STRING', nullable: false },
      { name: 'responseTimeSeconds', data: columns.responseTimeSeconds, type: 'DOUBLE', nullable: false },
      { name: 'failed', data: columns.failed, type: 'BOOLEAN', nullable: false },
    ],
  });
  return new Uint8Array(buffer);
}

interface Columns {
  readonly atSeconds: number[];
  readonly routes: string[];
  readonly responseTimeSeconds: number[];
  readonly failed: boolean[];
}

async function readColumns(path: string): Promise<Columns> {
  const columns: Columns = { atSeconds: [], routes: [], responseTimeSeconds: [], failed: [] };
  let line = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(path) })) {
      line += 1;
      if (line > 1 && text !== '') addRow(columns, text, `${path}:${line}`);
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new ShiploadError('file-not-found', `there is no ${path}`, {
      where: path,
      hint: 'A run keeps a row for each request with --samples.',
      cause,
    });
  }
  return columns;
}

function addRow(columns: Columns, text: string, where: string): void {
  const [, at, route, milliseconds, failed] = ROW.exec(text) ?? [];
  if (route === undefined)
    throw new ShiploadError('record-invalid', 'the line is no row of a request', { where });
  columns.atSeconds.push(Number(at));
  columns.routes.push(route.startsWith('"') ? route.slice(1, -1).replaceAll('""', '"') : route);
  columns.responseTimeSeconds.push(Number(milliseconds) / 1e3);
  columns.failed.push(failed === '1');
}
