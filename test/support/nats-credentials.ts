import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

const { createAccount, createOperator, createUser } = nkeys;
type KeyPair = ReturnType<typeof createUser>;

const text = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const UNLIMITED = { subs: -1, data: -1, payload: -1 };

/** A claim of one key about another, as NATS wants it: a JWT signed by an nkey. */
function claim(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const body = {
    iat: Math.floor(Date.now() / 1e3),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name,
    nats,
  };
  const jti = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const signed = `${text({ typ: 'JWT', alg: 'ed25519-nkey' })}.${text({ jti, ...body })}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}

/** A broker's configuration with an operator and one account, and the credentials of a user of it. */
export function makeCredentials(): { readonly config: string; readonly creds: string } {
  const [operator, system, account, user] = [
    createOperator(),
    createAccount(),
    createAccount(),
    createUser(),
  ];
  const operatorJwt = claim(operator, operator, 'operator', { type: 'operator', version: 2 });
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const many = { imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const accountOf = (name: string, key: KeyPair, limits: object): string => {
    const jwt = claim(operator, key, name, {
      limits: { ...UNLIMITED, ...many, ...limits },
      default_permissions: { pub: {}, sub: {} },
      type: 'account',
      version: 2,
    });
    return `${key.getPublicKey()}: ${jwt}`;
  };
  // JetStream wants an account of the server's own beside it.
  const accounts = [accountOf('team', account, storage), accountOf('system', system, {})];
  const userJwt = claim(account, user, 'coordinator', {
    pub: {},
    sub: {},
    ...UNLIMITED,
    type: 'user',
    version: 2,
  });
  const block = (kind: string, value: string): string =>
    `-----BEGIN ${kind}-----\n${value}\n------END ${kind}------\n`;
  const seed = new TextDecoder().decode(user.getSeed());
  return {
    config: [
      `operator: ${operatorJwt}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      ...accounts,
      '}',
      '',
    ].join('\n'),
    creds: `${block('NATS USER JWT', userJwt)}\n${block('USER NKEY SEED', seed)}`,
  };
}
