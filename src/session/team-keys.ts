import type { KeyObject } from 'node:crypto';
import { join, dirname } from 'node:path';
import { makeKeyPair, signingKeyOf, trustedKeyOf } from '../agents/signature.ts';
import { ShiploadError } from '../errors.ts';
import { makeFolder } from '../host/make-folder.ts';
import { claimFile, writeError } from '../host/write-file.ts';
import { readText } from './read-text.ts';

/**
 * Makes a team's pair of keys: `NAME.key` signs runs and is for its owner alone, `NAME.pub` goes to every agent. Throws
 * `cannot-write`, also where a file of that name is there: a key is never overwritten.
 */
export async function makeTeamKeys(
  name: string,
): Promise<{ readonly keyPath: string; readonly pubPath: string }> {
  const { privatePem, publicPem } = makeKeyPair();
  const keyPath = `${name}.key`;
  const pubPath = `${name}.pub`;
  for (const [path, pem] of [
    [keyPath, privatePem],
    [pubPath, publicPem],
  ] as const) {
    try {
      await makeFolder(join(dirname(path)));
      await claimFile(path, pem);
    } catch (cause) {
      throw writeError(path, cause);
    }
  }
  return { keyPath, pubPath };
}

/** The private half that signs a run. Throws what reading the file throws, and `option-invalid`. */
export async function readSigningKey(path: string): Promise<KeyObject> {
  return keyOf(path, '--sign', signingKeyOf);
}

/** The public half that an agent trusts. Throws as `readSigningKey`. */
export async function readTrustedKey(path: string): Promise<KeyObject> {
  return keyOf(path, '--trust', trustedKeyOf);
}

async function keyOf(path: string, option: string, parse: (pem: string) => KeyObject): Promise<KeyObject> {
  const pem = await readText(path);
  try {
    return parse(pem);
  } catch (cause) {
    const half = option === '--sign' ? 'NAME.key' : 'NAME.pub';
    throw new ShiploadError(
      'option-invalid',
      `${path} holds no key for ${option}: ${cause instanceof TypeError ? cause.message : 'it is no PEM of a key'}`,
      {
        where: option,
        hint: `shipload agent --make-key NAME writes a pair; ${option} takes ${half}.`,
        cause,
      },
    );
  }
}
