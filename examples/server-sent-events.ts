import { scenario } from 'shipload';

/** A stream of events, read to its end: its response time is that of the last one. */
export default scenario({
  thinkTime: '10ms',
  load: {
    stages: [
      { duration: '3s', target: 2 },
      { duration: '2s', target: 2 },
    ],
  },
  journeys: {
    follow: async (user) => {
      await user.get('/events', {
        headers: { Accept: 'text/event-stream' },
        check: {
          that: {
            'three ticks': (answer) => answer.events().filter(({ event }) => event === 'tick').length === 3,
          },
        },
      });
    },
  },
});
