import { scenario } from 'shipload';

/** One route, many operations: each is counted under its own name. */
const BOOK = 'query Book($id: ID!) { book(id: $id) { id } }';

export default scenario({
  thinkTime: '20ms',
  load: { users: 2, step: '2s', warmup: '500ms' },
  journeys: {
    book: async (user) => {
      const id = String(user.integer(1, 1000));
      await user.post('/graphql', {
        name: '/graphql Book',
        json: { operationName: 'Book', query: BOOK, variables: { id } },
        check: {
          status: 200,
          json: { 'data.book.id': id },
          that: { 'no errors': (answer) => !answer.text().includes('"errors"') },
        },
      });
    },
  },
});
