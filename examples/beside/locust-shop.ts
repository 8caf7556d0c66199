import { scenario } from 'shipload';

/**
 * What locust-shop.py does in Locust. A Locust user stays of its class for good and draws tasks; a user here draws
 * journeys, so a task's weight is that of its class times its share of the class. What on_start did, each user does once.
 */
export default scenario<undefined, string>({
  load: { users: 4, step: '4s', warmup: '500ms' },
  userSetup: async (user) => (await user.post('/login', { json: { name: 'ada' } })).json<string>('token'),
  journeys: {
    listBooks: {
      weight: (3 * 4) / 5,
      thinkTime: '20ms..60ms',
      run: (user) => user.get('/books', { query: { q: 'load' } }),
    },
    readBook: {
      weight: (3 * 1) / 5,
      thinkTime: '20ms..60ms',
      run: (user) => user.get('/books/7', { check: { json: { id: 7 } } }),
    },
    order: {
      weight: 1,
      thinkTime: '50ms',
      run: (user) => {
        user.bearer(user.own);
        return user.post('/orders', { json: { bookId: 7 }, check: { status: 201 } });
      },
    },
  },
});
