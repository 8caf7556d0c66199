import { scenario } from 'shipload';

/** A form with a file, as a browser sends it. */
const cover = new Uint8Array(10_000).map((_, i) => i % 251);

export default scenario({
  load: { rate: 20, step: '2s', warmup: '500ms', arrivals: 'constant' },
  journeys: {
    upload: async (user) => {
      await user.post('/upload', {
        multipart: { title: 'A cover', file: { filename: 'cover.png', content: cover, type: 'image/png' } },
        check: { status: 201, json: { hasFile: true } },
      });
    },
  },
});
