import { createServer, type AddressInfo } from 'node:net';

/**
 * The smallest server there is, in a process of its own: every read that ends a request head is answered at once. It
 * prints its port, and ends with its parent (when its input ends).
 */
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

const server = createServer({ noDelay: true }, (socket) => {
  socket.unref().on('error', () => {});
  socket.on('data', (bytes) => {
    if (bytes.subarray(-4).toString('latin1') === '\r\n\r\n') socket.write(ANSWER);
  });
}).listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

// Only the parent's pipe keeps this process alive.
server.unref();
process.stdin.resume();
