import type { ServiceUnderTest } from '../model/record.ts';

/** Sources of m that an analysis keeps to, whatever the run itself shows. */
export const GIVEN_SERVER_COUNT = '--cores';
export const SHARED_SERVER_COUNT = 'the largest of the runs that are compared';

/** m where it is not to be found from the run; nothing where it is. */
export const fixedServerCount = ({
  serverCount,
  serverCountSource,
}: ServiceUnderTest): { readonly serverCount?: number } =>
  serverCount !== undefined &&
  (serverCountSource === GIVEN_SERVER_COUNT || serverCountSource === SHARED_SERVER_COUNT)
    ? { serverCount }
    : {};
