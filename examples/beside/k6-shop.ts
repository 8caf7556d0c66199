import { scenario } from 'shipload';

/** What k6-shop.js does in k6: stages, thresholds as targets, checks, a group, a token carried on. */
export default scenario({
  load: {
    stages: [
      { duration: '2s', target: 2 },
      { duration: '3s', target: 2 },
    ],
  },
  targets: ['p95 <= 500 ms', 'error rate <= 1 %'],
  journeys: {
    shop: async (user) => {
      await user.get('/books', {
        query: { q: 'load' },
        check: { that: { 'two books': (answer) => answer.json<unknown[]>('items').length === 2 } },
      });
      await user.pause('50ms');
      await user.group('checkout', async () => {
        const login = await user.post('/login', { json: { name: 'ada' } });
        user.bearer(login.json('token'));
        const order = await user.post('/orders', { json: { bookId: 7 }, check: { status: 201 } });
        await user.get(`/orders/${order.json<number>('id')}`);
      });
      await user.pause('50ms');
    },
  },
});
