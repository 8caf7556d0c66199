import { readFile } from 'node:fs/promises';
import type { BrokerAccess } from '../agents/broker-access.ts';
import { ShiploadError } from '../errors.ts';
import { readText } from './read-text.ts';

/** How to reach a broker, as the command line names it: files, not their content. */
export interface BrokerRequest {
  /** `nats://host:4222` or `tls://host:4222`; several with commas between. */
  readonly url: string;
  /** A file of credentials (a user's JWT and its seed). */
  readonly credsPath?: string;
  readonly caPath?: string;
  readonly certPath?: string;
  readonly keyPath?: string;
}

/** Throws `option-invalid` for a url that names no broker, and what reading the files throws. */
export async function readBrokerAccess(request: BrokerRequest): Promise<BrokerAccess> {
  const urls = request.url.split(',').map((url) => brokerUrl(url.trim()));
  const { caPath, certPath, keyPath, credsPath } = request;
  if ((certPath === undefined) !== (keyPath === undefined))
    throw new ShiploadError('option-invalid', 'a certificate for the broker needs its key, and the key it', {
      where: '--tls-cert, --tls-key',
    });
  const isTls =
    urls.some(({ protocol }) => protocol === 'tls:') || caPath !== undefined || certPath !== undefined;
  const { username, password } = urls[0]!;
  return {
    servers: urls.map(({ host }) => host),
    ...(username !== '' && { user: decodeURIComponent(username), password: decodeURIComponent(password) }),
    ...(credsPath !== undefined && { creds: await readCreds(credsPath) }),
    ...(isTls && {
      tls: {
        ...(caPath !== undefined && { ca: await readCertificates(caPath) }),
        ...(certPath !== undefined && { cert: await readText(certPath) }),
        ...(keyPath !== undefined && { key: await readText(keyPath) }),
      },
    }),
  };
}

function brokerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['nats:', 'tls:'].includes(url.protocol) && url.hostname !== '') return url;
  throw new ShiploadError('option-invalid', `"${text}" names no broker`, {
    where: '--nats',
    hint: 'For example nats://10.0.0.1:4222, or tls://broker.example.com:4222',
  });
}

/** Node passes over a file without certificates in silence. */
async function readCertificates(path: string): Promise<string> {
  const pem = await readText(path);
  if (pem.includes('-----BEGIN CERTIFICATE-----') || pem.includes('-----BEGIN TRUSTED CERTIFICATE-----'))
    return pem;
  throw new ShiploadError('option-invalid', `${path} holds no certificate`, {
    where: '--tls-ca',
    hint: 'It takes PEM: -----BEGIN CERTIFICATE----- and so on.',
  });
}

async function readCreds(path: string): Promise<Uint8Array> {
  await readText(path); // for its words where the file is not there
  return readFile(path);
}
