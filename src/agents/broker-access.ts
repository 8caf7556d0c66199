/** How to reach a broker, with what its files hold. */
export interface BrokerAccess {
  /** `host:port` of each. */
  readonly servers: readonly string[];
  /** Name and password, where the url has them. */
  readonly user?: string;
  readonly password?: string;
  /** A user's JWT and its seed. */
  readonly creds?: Uint8Array;
  /** Missing: in the clear. PEM texts; without `ca` the system's trust. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}
