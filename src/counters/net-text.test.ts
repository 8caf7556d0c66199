import assert from 'node:assert/strict';
import test from 'node:test';
import {
  parseListeningInodes,
  parseNetworkFigure,
  parseNetworkTotals,
  parsePortSockets,
} from './net-text.ts';

const HEADER =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const FOUR = `${HEADER}   0: 0100007F:1F90 00000000:0000 0A 00000000:00000003 00:00000000 00000000     0        0 21811 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C35A 01 00000000:00000000 00:00000000 00000000     0        0 21999 1 0 20 4 30 10 -1
   2: 0100007F:1F90 0100007F:C35B 03 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
   3: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21812 1 0 100 0 0 10 0
  10: 0100007F:C35A 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 22000 1 0 20 4 30 10 -1\n`;
const SIX = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 31111 1 0 100 0 0 10 0\n`;

test('only sockets that listen on the port are found, of IPv4 and IPv6', () => {
  assert.deepEqual(parseListeningInodes(FOUR, 8080), ['21811']);
  assert.deepEqual(parseListeningInodes(SIX, 8080), ['31111']);
  assert.deepEqual(parseListeningInodes(FOUR, 80), []);
});

test('connections count at the side of the service, the client’s end of the same connection does not', () => {
  assert.deepEqual(parsePortSockets(FOUR, 8080), {
    isListening: true,
    establishedCount: 1,
    synReceivedCount: 1,
    acceptQueueCount: 3,
  });
  assert.equal(parsePortSockets(FOUR, 50010).isListening, false);
});

test('a figure stands under its name in the second line of its group', () => {
  const text =
    'TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 0 7 9\nIpExt: InNoRoutes\nIpExt: 4\n';
  assert.equal(parseNetworkFigure(text, 'TcpExt', 'ListenOverflows'), 7);
  assert.equal(parseNetworkFigure(text, 'IpExt', 'InNoRoutes'), 4);
  assert.equal(parseNetworkFigure(text, 'TcpExt', 'NoSuch'), undefined);
  assert.equal(parseNetworkFigure('', 'TcpExt', 'ListenDrops'), undefined);
});

test('bytes and errors add up over the interfaces', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0
  eth0:500 5 1 2 0 0 0 0 300 3 4 8 0 0 0 0\n`;
  assert.deepEqual(parseNetworkTotals(text), { receivedBytes: 1500, sentBytes: 1300, errorCount: 15 });
});
