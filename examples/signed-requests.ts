import { createHmac } from 'node:crypto';
import { env, scenario } from 'shipload';

/** Requests that the sender signs: method, target and body under a key that both sides know. */
const key = env('SHOP_KEY', 'secret');
const sign = (line: string, body: string): string =>
  createHmac('sha256', key).update(`${line}\n${body}`).digest('hex');

export default scenario({
  thinkTime: '20ms',
  load: { users: 2, step: '2s', warmup: '500ms' },
  journeys: {
    signed: async (user) => {
      const body = JSON.stringify({ amount: user.integer(1, 100) });
      await user.post('/signed', {
        body,
        headers: { 'Content-Type': 'application/json', 'X-Signature': sign('POST /signed', body) },
        check: { status: 200 },
      });
    },
  },
});
