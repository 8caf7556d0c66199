import type { IncomingMessage } from 'node:http';
import type { LoadOptions } from '../../load/plan-load.ts';

/** The fault, the same service without it, and a near miss that must not be taken for it. */
export const VARIANTS = ['on', 'off', 'twin'] as const;
export type Variant = (typeof VARIANTS)[number];

/** Sends the answer; once. */
export type Reply = (status?: number) => void;
export type Handler = (reply: Reply, request: IncomingMessage) => void;

/** What a member does with requests: its first route shows the fault, the second is a bystander. */
export interface ZooService {
  readonly routes: readonly [Handler, Handler];
  /** How the service takes connections, where that is the point. */
  readonly connections?: {
    readonly backlog?: number;
    readonly atMost?: number;
    /** Each request on a connection of its own. */
    readonly closeAfterAnswer?: boolean;
  };
  /** Called once when the service ends. */
  readonly close?: () => void;
}

/** The load under which a member shows what is wrong with it. */
export interface Probe extends Pick<
  LoadOptions,
  'shape' | 'loads' | 'stepSeconds' | 'warmupSeconds' | 'loadKind'
> {
  /** Mean think time; its length varies by a fifth either way. Missing: none. */
  readonly thinkSeconds?: number;
  /** Share of the requests that goes to the first route. */
  readonly shareOfFirst: number;
  /** Different targets of each route. */
  readonly keyCount: number;
}

/** One small service with one fault. */
export interface ZooMember {
  readonly name: string;
  /** What is wrong, in a few words. */
  readonly fault: string;
  /** What looks like it and is something else. */
  readonly twin: string;
  /** The rule that should name the fault, and what the twin truly is; missing: nothing is to be named. */
  readonly expected: { readonly on: string; readonly twin?: string };
  readonly probe: Probe;
  /** Why the fault cannot be made on this machine; undefined: it can. */
  readonly obstacle?: () => string | undefined;
  readonly open: (variant: Variant) => ZooService;
}
