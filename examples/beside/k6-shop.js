import http from 'k6/http';
import { check, group, sleep } from 'k6';

const BASE = __ENV.BASE_URL || 'http://127.0.0.1:8080';
const JSON_TYPE = { headers: { 'Content-Type': 'application/json' } };

export const options = {
  scenarios: {
    shoppers: {
      executor: 'ramping-vus',
      startVUs: 0,
      stages: [
        { duration: '2s', target: 2 },
        { duration: '3s', target: 2 },
      ],
    },
  },
  thresholds: {
    http_req_duration: ['p(95)<500'],
    http_req_failed: ['rate<0.01'],
  },
};

export default function () {
  const list = http.get(`${BASE}/books?q=load`);
  check(list, { 'two books': (answer) => answer.json('items').length === 2 });
  sleep(0.05);
  group('checkout', () => {
    const login = http.post(`${BASE}/login`, JSON.stringify({ name: 'ada' }), JSON_TYPE);
    const headers = { ...JSON_TYPE.headers, Authorization: `Bearer ${login.json('token')}` };
    const order = http.post(`${BASE}/orders`, JSON.stringify({ bookId: 7 }), { headers });
    check(order, { ordered: (answer) => answer.status === 201 });
    http.get(`${BASE}/orders/${order.json('id')}`, { headers });
  });
  sleep(0.05);
}
