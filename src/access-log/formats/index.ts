import type { LogFormat } from '../log-format.ts';
import { apacheTimed } from './apache-timed.ts';
import { combined } from './combined.ts';
import { common } from './common.ts';
import { nginxTimed } from './nginx-timed.ts';
import { simple } from './simple.ts';
import { vhost } from './vhost.ts';

export type { LogFormat } from '../log-format.ts';

/** Every log format that is told from a file's first lines, tried in this order where several fit alike. */
export const LOG_FORMATS: readonly LogFormat[] = [simple, nginxTimed, apacheTimed, vhost, combined, common];
