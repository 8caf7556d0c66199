import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { z } from 'zod';

/**
 * Signed words of a coordinator. Ed25519 (RFC 8032) and no shared secret: an agent holds the public key only, so
 * that whoever breaks into one agent cannot give orders to the others. The signature covers the subject too: a
 * word for one agent or run is none for another.
 */
const envelopeSchema = z.object({ body: z.string(), signature: z.string() });
/** Keeps signatures of this purpose apart from any other use of the key. */
const PURPOSE = 'shipload-agents-1';

const signedText = (subject: string, body: string): Uint8Array =>
  new TextEncoder().encode(`${PURPOSE}\n${subject}\n${body}`);

/** The message with its signature, as bytes to send to `subject`. */
export function signMessage(key: KeyObject, subject: string, message: unknown): Uint8Array {
  const body = JSON.stringify(message);
  const signature = sign(null, signedText(subject, body), key).toString('base64');
  return new TextEncoder().encode(JSON.stringify({ body, signature }));
}

/** The message, where one of the trusted keys signed it for this subject; undefined otherwise, whatever the bytes are. */
export function openSigned(trusted: readonly KeyObject[], subject: string, data: Uint8Array): unknown {
  try {
    const { body, signature } = envelopeSchema.parse(JSON.parse(new TextDecoder().decode(data)));
    const text = signedText(subject, body);
    const bytes = Buffer.from(signature, 'base64');
    if (!trusted.some((key) => verify(null, text, key, bytes))) return undefined;
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** A new pair as PEM: the private half signs runs, the public half goes to the agents. */
export function makeKeyPair(): { readonly privatePem: string; readonly publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { privatePem: privateKey, publicPem: publicKey };
}

/** The key of a PEM text. Throws a TypeError where it is none, or not of Ed25519. */
export function signingKeyOf(pem: string): KeyObject {
  return ed25519(createPrivateKey(pem));
}

/** As `signingKeyOf`, for the public half. A private one is refused: it has no place on an agent. */
export function trustedKeyOf(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new TypeError('this is the private half');
  return ed25519(createPublicKey(pem));
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the key is not of Ed25519');
  return key;
}
