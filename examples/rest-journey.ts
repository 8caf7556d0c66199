import { feed, get, scenario } from 'shipload';

/** Log in, look for a book, order it, and see that it is paid; beside users who only read. */
const people = feed<{ name: string; password: string }>('people.csv', { order: 'unique' });

export default scenario({
  thinkTime: '20ms..60ms',
  load: { users: [1, 4], step: '2s', warmup: '500ms' },
  targets: ['p95 of /books/[id] <= 500 ms at 4 users'],
  journeys: {
    browse: { weight: 3, requests: [get('/books'), get('/books/7'), get('/books/8')] },
    order: async (user) => {
      const { name, password } = await user.take(people);
      const login = await user.post('/login', { json: { name, password }, check: { status: 200 } });
      user.bearer(login.json('token'));
      await user.group('checkout', async () => {
        const list = await user.get('/books', { query: { q: 'load' } });
        const bookId = list.json<number>('items[0].id');
        await user.get(`/books/${bookId}`, { check: { json: { id: bookId } } });
        const order = await user.post('/orders', { json: { bookId }, check: { status: 201 } });
        const orderId = order.json<number>('id');
        await user.get(`/orders/${orderId}`, { check: { json: { state: 'paid' } } });
      });
    },
  },
});
